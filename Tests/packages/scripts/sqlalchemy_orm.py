from sqlalchemy import *
from sqlalchemy.orm import *
Base = declarative_base()
class U(Base):
    __tablename__="u"; id=Column(Integer, primary_key=True); name=Column(String(20)); posts=relationship("Po", back_populates="u", order_by="Po.id")
class Po(Base):
    __tablename__="p"; id=Column(Integer, primary_key=True); t=Column(Text); uid=Column(ForeignKey("u.id")); u=relationship("U", back_populates="posts")
e=create_engine("sqlite://"); Base.metadata.create_all(e)
with Session(e) as s:
    s.add_all([U(name="a", posts=[Po(t="x"), Po(t="y")]), U(name="b")]); s.commit()
    for n,c in s.execute(select(U.name, func.count(Po.id)).outerjoin(Po).group_by(U.id).order_by(U.name)): print(n,c)
    print([p.t for p in s.query(U).filter_by(name="a").one().posts]); print(select(U).where(U.id.in_([1,2]) & U.name.like("a%")))
