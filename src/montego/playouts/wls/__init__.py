"""Win/Loss States: a success rate and the evidence for it in one small integer.

Basaldúa and Moreno Vega, "Win/Loss States: An efficient model of success rates for simulation-based functions". Usable
by itself (``montego.WinLossStates``) and inside kernels (``record_result``, ``is_above``).
"""

from montego.playouts.wls.automaton import WinLossStates, is_above, record_result, record_results

__all__ = ["WinLossStates", "is_above", "record_result", "record_results"]
