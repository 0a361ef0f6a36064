"""What has to hold before a replay means something: self-replay, control, poison, other inputs."""
