"""pathlib, tempfile, os, shutil, open modes, text layers, zip and tar."""
import glob
import gzip
import io
import os
import pathlib
import shutil
import stat
import tarfile
import tempfile
import zipfile

with tempfile.TemporaryDirectory() as name:
    root = pathlib.Path(name)
    (root / "a" / "b").mkdir(parents=True)
    f = root / "a" / "one.txt"
    print(f.write_text("line1\nline2\r\nlïne3\n", encoding="utf-8", newline=""), f.read_bytes(), f.stat().st_size, f.exists(), f.is_dir())
    (root / "a" / "b" / "two.py").write_bytes(b"\xff\x00")
    (root / "z").symlink_to(f)
    print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*")), sorted(p.name for p in root.glob("**/*.py")), (root / "z").is_symlink(), (root / "z").resolve() == f.resolve())
    with open(f, encoding="utf-8") as h:
        print(h.readline(), h.tell(), h.read(), h.seek(0), list(h), h.newlines, h.closed, h.mode, h.encoding, h.fileno() > 2)
    with open(f, newline="") as h:
        print(h.readlines())
    with open(f, "r+b") as h:
        h.seek(-3, os.SEEK_END)
        h.truncate()
        h.write(b"END")
        print(h.tell(), h.seekable(), h.name == str(f))
    with open(f, "a") as h:
        print("appended", 1, sep="=", file=h)
    print(f.read_text("utf-8"))
    with f.open("w+", buffering=1) as h:
        h.writelines(["x\n", "y"])
        h.seek(0)
        print(h.read(), h.writable())
    shutil.copytree(root / "a", root / "c")
    shutil.move(root / "c" / "one.txt", root / "moved")
    print(sorted(os.listdir(root)), [(os.path.relpath(d, root), sorted(ds), sorted(fs)) for d, ds, fs in sorted(os.walk(root))])
    os.chmod(root / "moved", 0o640)
    print(stat.filemode((root / "moved").stat().st_mode), (root / "moved").rename(root / "m2").name)
    shutil.rmtree(root / "c")
    with zipfile.ZipFile(root / "x.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("in/file.txt", "zipped " * 20)
        z.write(root / "m2", "m2")
    with zipfile.ZipFile(root / "x.zip") as z:
        print(z.namelist(), z.read("in/file.txt")[:12], z.getinfo("m2").file_size, z.testzip())
    with tarfile.open(root / "x.tgz", "w:gz") as tar:
        tar.add(root / "a", "arc")
    with tarfile.open(root / "x.tgz") as tar:
        print(sorted(tar.getnames()), tar.extractfile("arc/one.txt").read())
    with gzip.open(root / "g.gz", "wt") as g:
        g.write("gz\n" * 3)
    print(gzip.open(root / "g.gz").read())
    fd = os.open(root / "raw", os.O_CREAT | os.O_RDWR)
    print(os.write(fd, b"raw bytes"), os.lseek(fd, 4, 0), os.read(fd, 3), os.close(fd))
    os.chdir(root)
    print(sorted(glob.glob("*")), sorted(e.name for e in os.scandir(".") if e.is_file()), os.path.getsize("raw"))
    tmp = tempfile.NamedTemporaryFile("w+", suffix=".t", dir=".")
    print(tmp.write("q"), tmp.name.endswith(".t"), tmp.close(), os.path.exists(tmp.name))
    sp = tempfile.SpooledTemporaryFile(10)
    sp.write(b"x" * 20)
    print(sp._rolled, sp.close())
    for bad in (lambda: open("nofile"), lambda: open("a"), lambda: open("raw", "x"), lambda: open("raw", "rw"), lambda: open("raw", "q"), lambda: open("raw", "rb", encoding="utf-8"), lambda: open("raw", "w", buffering=0), lambda: open("raw", encoding="nope"), lambda: open("raw", newline="x"), lambda: open(""), lambda: open("a\0b"), lambda: open(-5), lambda: open([1]), lambda: open("a/b/two.py", encoding="utf-8").read(), lambda: os.mkdir("a"), lambda: os.rmdir("a"), lambda: os.remove("nope"), lambda: os.rename("nope", "b"), lambda: os.listdir("raw"), lambda: pathlib.Path("nope").read_text(), lambda: pathlib.Path("a").unlink() if 0 else pathlib.Path("raw").iterdir().__next__(), lambda: os.stat("nope"), lambda: os.chdir("nope"), lambda: pathlib.Path("x").write_text(3), lambda: pathlib.Path(3), lambda: pathlib.Path("/a").relative_to("/b"), lambda: os.path.join("a", 3), lambda: os.close(999), lambda: os.read("a", 1), lambda: shutil.copy("nope", "b"), lambda: shutil.rmtree("nope"), lambda: zipfile.ZipFile("raw"), lambda: tarfile.open("raw"), lambda: gzip.open("raw").read(), lambda: os.environ["NOPE_X"], lambda: os.environ.__setitem__("a", 1), lambda: open("raw").write("x"), lambda: open("raw", "w").read(), lambda: tmp.read(), lambda: tempfile.mkdtemp(dir="nope/x")[:0]):
        try:
            r = bad()
            print("ok", type(r).__name__)
            del r
        except Exception as e:
            print(type(e).__name__, str(e).replace(name, "ROOT"), getattr(e, "errno", None)) if "nope/x" not in str(e) else print(type(e).__name__)
    os.chdir("/")
P = pathlib.PurePosixPath
p = P("/usr/lib/../x.tar.gz")
print(p.parts, p.stem, p.suffix, p.suffixes, p.parent, list(p.parents), p.with_suffix(".zip"), p.with_name("q"), p.with_stem("s"), p / "/abs", p.joinpath("a", "b"), p.match("*.gz"), p.is_relative_to("/usr"), P("a//b/./c"), P(""), P("~/x").as_uri if 0 else "", P("/a b").as_uri(), P("a") < P("b"), pathlib.PureWindowsPath("C:\\a\\b").drive, repr(P("x")), hash(P("a")) == hash(P("a")))
print(os.path.splitext("a.b.c"), os.path.split("/a/b"), os.path.normpath("a/../b//c/."), os.path.commonpath(["/a/b", "/a/c"]), os.path.commonprefix(["abc", "abd"]), os.path.basename("x/y/"), os.path.isabs("/x"), os.path.expandvars("$NOPE_X/$"), os.fspath(p))
s = io.StringIO("a\r\nb\rc\n", newline=None)
print(s.readlines(), io.StringIO("a\nb").read(1), io.TextIOWrapper(io.BytesIO(b"a\xe9"), "latin-1").read(), io.IncrementalNewlineDecoder(None, True).decode("x\r\ny"))
open("/nonexistent/dir/file", "w", encoding="utf-8")
