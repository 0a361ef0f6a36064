"""What callers pass, made into what the product takes."""
