"""What a thread trace says of a kernel: where waves spend their time, and on what they wait."""
