"""The laboratory: the experiments of papers, done again, with the published figures beside ours. One module a paper."""

from montego.lab import higher_order, win_loss_states
from montego.lab.experiment import EXPERIMENTS, Experiment, Report, Row, experiment

__all__ = ["EXPERIMENTS", "Experiment", "Report", "Row", "experiment", "higher_order", "win_loss_states"]
