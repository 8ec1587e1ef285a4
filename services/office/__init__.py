"""For the house's office: figures over many logs, from what they say. Judges and writes nothing."""
