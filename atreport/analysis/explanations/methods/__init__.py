"""One module a method; the registry in the folder above says when each is asked for."""
