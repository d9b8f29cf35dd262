"""Code that the device twins of all motions share.

twin      the interface of a twin
stepped   a twin of any motion, stepped in NumPy; gathered  levels of detail taken out of a buffer of all points
records   records that kernels of several motions read
stepping  checks of arguments
"""
