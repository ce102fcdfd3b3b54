import datetime

import bcrypt
import nacl.secret
import nacl.signing
from cryptography import x509
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from cryptography.x509.oid import NameOID

key = Fernet.generate_key()
print(Fernet(key).decrypt(Fernet(key).encrypt(b"secret")))
print(AESGCM(bytes(16)).encrypt(bytes(12), b"text", b"more").hex())
print(PBKDF2HMAC(hashes.SHA256(), 32, b"salt", 1000).derive(b"word").hex())
private = rsa.generate_private_key(65537, 2048)
signature = private.sign(b"m", padding.PKCS1v15(), hashes.SHA256())
private.public_key().verify(signature, b"m", padding.PKCS1v15(), hashes.SHA256())
print(ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(b"m").hex()[:40])
name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "example")])
signer = ec.generate_private_key(ec.SECP256R1())
day = datetime.datetime(2024, 1, 1)
certificate = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(signer.public_key())
               .serial_number(77).not_valid_before(day).not_valid_after(day + datetime.timedelta(9))
               .add_extension(x509.SubjectAlternativeName([x509.DNSName("example.org")]), False)
               .sign(signer, hashes.SHA256()))
again = x509.load_pem_x509_certificate(certificate.public_bytes(serialization.Encoding.PEM))
print(again.subject.rfc4514_string(), again.serial_number, again.not_valid_after, [e.value for e in again.extensions])
for wrong in (lambda: Fernet(key).decrypt(b"x" * 99), lambda: AESGCM(bytes(16)).decrypt(bytes(12), bytes(20), None),
              lambda: private.public_key().verify(b"", b"m", padding.PKCS1v15(), hashes.SHA256()),
              lambda: x509.load_pem_x509_certificate(b"nothing"), lambda: AESGCM(b"short")):
    try:
        wrong()
    except (InvalidToken, InvalidTag, InvalidSignature, ValueError) as error:
        print(type(error).__name__, str(error)[:60])
box = nacl.secret.SecretBox(bytes(32))
print(box.encrypt(b"hello", bytes(24)).hex(), nacl.signing.SigningKey(bytes(32)).sign(b"x").signature.hex()[:20])
print(bcrypt.checkpw(b"word", bcrypt.hashpw(b"word", bcrypt.gensalt(4))), bcrypt.kdf(b"p", b"salt", 16, 50).hex())
