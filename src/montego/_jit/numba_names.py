"""The private names of Numba and llvmlite that ``_jit`` relies on: one table, checked when Numba is loaded.

Numba promises nothing about them. If a release changes one, Montego says so in one line and does not start: the
alternative would be code compiled anew in every process, or machine code of different functions mixed up.
"""

import importlib
from typing import Any

import numba

from montego.errors import MontegoError

KNOWN_VERSIONS = "0.68"  # series that the tests have passed with; pyproject.toml allows the same

# Module -> names in it; "Class.attribute" for an attribute of a class, "Class(field)" for a field of a named tuple.
PRIVATE_NAMES: dict[str, tuple[str, ...]] = {
    "llvmlite.binding": ("ExecutionEngine._raw_object_cache_getbuffer", "ExecutionEngine._raw_object_cache_notify"),
    "numba.core.bytecode": ("ByteCodeInst", "FunctionIdentity._unique_ids"),
    "numba.core.cgutils": ("raw_memcpy", "true_bit"),
    "numba.core.codegen": (
        "CPUCodeLibrary.has_dynamic_globals",
        "CPUCodegen.magic_tuple",
        "JITCPUCodegen.set_env",
        "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._finalize_final_module",
        "JITCodeLibrary._get_module_for_linking",
        "JITCodeLibrary._optimize_final_module",
        "JITCodeLibrary._verify_declare_only_symbols",
        "JITCodeLibrary.serialize_using_object_code",
    ),
    "numba.core.compiler": (
        "Compiler.define_pipelines",
        "CompileResult._find_referenced_environments",
        "CompileResult._rebuild",
        "CompileResult._reduce",
        "CompileResult.codegen",
        "CompileResult(entry_point)",
        "CompileResult(fndesc)",
        "CompileResult(library)",
        "CompileResult(lifted)",
        "CompileResult(signature)",
        "CompileResult(target_context)",
        "CompileResult(type_annotation)",
        "Flags._values",
        "Flags.no_cfunc_wrapper",
        "Flags.no_compile",
        "Flags.no_cpython_wrapper",
        "Flags.values",
        "compile_result",
    ),
    "numba.core.compiler_lock": ("global_compiler_lock",),
    "numba.core.cpu": ("CPUContext.codegen", "CPUContext.insert_user_function", "CPUContext.refresh"),
    "numba.core.datamodel.models": ("DataModel.contains_nrt_meminfo", "OpaqueModel"),
    "numba.core.dispatcher": (
        "Dispatcher.add_overload",
        "Dispatcher.compile",
        "Dispatcher.enable_caching",
        "Dispatcher.get_call_template",
        "Dispatcher.get_overload",
        "Dispatcher.is_compiling",
        "_FunctionCompiler._customize_flags",
    ),
    "numba.core.errors": ("NumbaError",),
    "numba.core.event": ("TimingListener.done", "TimingListener.duration", "register", "trigger_event"),
    "numba.core.imputils": ("lower_constant",),
    "numba.core.ir": ("Loc",),
    "numba.core.options": ("DefaultOptions.forceinline", "DefaultOptions._nrt"),
    "numba.core.registry": ("CPUDispatcher",),
    "numba.core.serialize": ("dumps",),
    "numba.core.sigutils": ("normalize_signature",),
    "numba.core.typing.typeof": ("typeof_impl",),
    "numba.extending": ("intrinsic", "register_model"),
}


class IncompatibleNumba(MontegoError, ImportError):
    """The installed Numba lacks a private name that compilation relies on."""


def _has(owner: Any, name: str) -> bool:
    """Whether a module has a name, a class an attribute, or a named tuple a field."""
    if name.endswith(")"):
        class_name, _, field = name[:-1].partition("(")
        return field in getattr(getattr(owner, class_name, None), "_fields", ())
    for part in name.split("."):
        if not hasattr(owner, part):
            return False
        owner = getattr(owner, part)
    return True


def missing_names() -> list[str]:
    """Return the private names that the installed Numba does not have."""
    missing = []
    for module, names in PRIVATE_NAMES.items():
        try:
            owner = importlib.import_module(module)
        except ImportError:
            missing.append(module)
            continue
        missing += [f"{module}.{name}" for name in names if not _has(owner, name)]
    return missing


def check_numba() -> None:
    """Raise ``IncompatibleNumba`` with one line if a private name is missing."""
    if missing := missing_names():
        raise IncompatibleNumba(
            f"Numba {numba.__version__} lacks {missing[0]}, which Montego relies on; install a version that is known "
            f"to work: pip install 'numba=={KNOWN_VERSIONS}.*'"
        )


check_numba()
