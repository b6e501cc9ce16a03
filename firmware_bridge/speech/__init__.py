"""Speech: what the microphone heard becomes words, a reply becomes sound. Importing this needs no speech library."""
