"""The compiled loops. Nothing outside this folder is compiled, and nothing here compiles at import.

Integer codes go in, integer or float arrays come out. Kernels hold no Python object, release the
interpreter lock and are single-threaded: whoever calls them hands out blocks of work.
"""
