"""The laboratory: experiments of papers, repeated, with the published figures next to ours; one module per paper."""

from montego.lab import higher_order, win_loss_states
from montego.lab.experiment import EXPERIMENTS, Experiment, Report, Row, experiment

__all__ = ["EXPERIMENTS", "Experiment", "Report", "Row", "experiment", "higher_order", "win_loss_states"]
