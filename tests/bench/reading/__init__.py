"""How well pages are read: measured on pages whose content people marked, and fitted to them."""
