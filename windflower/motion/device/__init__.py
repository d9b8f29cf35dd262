"""What the device twins of all motions share."""
