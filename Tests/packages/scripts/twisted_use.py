from twisted.internet import reactor, defer, protocol, endpoints, task
class Echo(protocol.Protocol):
    def dataReceived(self, d): self.transport.write(d.upper()); 
class C(protocol.Protocol):
    def connectionMade(self): self.transport.write(b"hello")
    def dataReceived(self, d): print(d); self.transport.loseConnection(); reactor.callLater(0, reactor.stop)
@defer.inlineCallbacks
def main():
    p = yield endpoints.TCP4ServerEndpoint(reactor, 0, interface="127.0.0.1").listen(protocol.Factory.forProtocol(Echo))
    yield endpoints.connectProtocol(endpoints.TCP4ClientEndpoint(reactor, "127.0.0.1", p.getHost().port), C())
    x = yield task.deferLater(reactor, 0.01, lambda: 42); print(x)
main(); reactor.run()
