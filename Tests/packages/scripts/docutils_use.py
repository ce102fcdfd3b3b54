from docutils.core import publish_string
src = """
Title
=====

A *para* with ``code`` and `link <http://x.org>`_.

.. note:: Hi
   there

=====  ====
a      b
=====  ====
1      2
=====  ====

.. code:: python

   def f(x): return x+1

.. math:: a^2
"""
print(publish_string(src, writer_name="html5").decode()[-2500:])
print(publish_string(src, writer_name="latex").decode()[-900:])
print(publish_string(src, writer_name="pseudoxml").decode())
