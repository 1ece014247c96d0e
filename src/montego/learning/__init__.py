"""From game records to weights of move features: records, decisions, minorisation–maximisation, evaluation."""
