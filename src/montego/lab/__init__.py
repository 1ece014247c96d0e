"""The laboratory: experiments of papers, repeated, with the published figures next to ours; one module per paper."""

from montego.lab import higher_order, lecture, sigmoid, simulation_balancing, win_loss_states
from montego.lab.experiment import EXPERIMENTS, Conditions, Experiment, Report, Size, Skipped, experiment
from montego.lab.rows import Row

__all__ = [
    "EXPERIMENTS",
    "Conditions",
    "Experiment",
    "Report",
    "Row",
    "Size",
    "Skipped",
    "experiment",
    "higher_order",
    "lecture",
    "sigmoid",
    "simulation_balancing",
    "win_loss_states",
]
