"""What Penny read of a page, and the owner's word where she read it wrong."""
