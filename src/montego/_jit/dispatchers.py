"""The two forms of a kernel: the one that Python calls, and the one that other kernels are compiled with.

Numba gives every function a wrapper for Python, a wrapper for C and machine code of its own, whoever calls it. A search
is a hundred kernels of which Python calls six; for the others all this would be half of the time to compile. So what
kernels call is a ``Callee``, which ends as LLVM code, ready to be linked into its callers. It is cached too: a search
with another policy finds on disk what it shares with the first one.
"""

import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba.core import event, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import ForceLiteralArg
from numba.core.registry import CPUDispatcher

from montego._jit.cache import KernelCache
from montego._jit.interrupts import interrupts_outside_callbacks
from montego._jit.numba_first import without_looking_for_garbage

Check = Callable[[Any], None] | None

_LOW = 2  # levels of calls below a callee that is optimised by itself


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function as Python calls it; kernels that call it get its callee."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], check: Check) -> None:
        options = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None, **options}
        super().__init__(function, targetoptions={**options, "no_cfunc_wrapper": True})
        self._compiler._customize_flags = _QuickFlags
        self._cache = KernelCache(function, {**options, "form": "kernel"}, check, CompileResult._rebuild)
        self._callee: Callee | None = None
        self._make_callee = functools.partial(Callee, function, options, check)

    @property
    def callee(self) -> "Callee":
        """The form for other kernels, made when the first of them asks: most kernels of a process are never called."""
        if self._callee is None:
            self._callee = self._make_callee()
        return self._callee

    @property
    def caches(self) -> list[KernelCache]:
        """The machine code on disk of the forms that have been made."""
        return [form._cache for form in (self, self._callee) if form is not None]

    def compile(self, sig: Any) -> Any:
        """Compile, or load what was compiled earlier, with the garbage collector at rest."""
        with without_looking_for_garbage(), interrupts_outside_callbacks():
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.callee.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.callee.get_overload(sig)

    def add_overload(self, result: CompileResult) -> None:
        """Make a compile result callable: what its callees raise or print needs their environments."""
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
        super().add_overload(result)

    @property
    def is_compiling(self) -> bool:
        return bool(self._compiling_counter) or (self._callee is not None and bool(self._callee.is_compiling))


class Callee(CPUDispatcher):  # type: ignore[misc]
    """A kernel for use in other kernels. In its compile results, the function descriptor stands for the entry point."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], check: Check) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=_CalleeCompiler)
        self._compiler._customize_flags = _QuickFlags
        self._cache = KernelCache(function, {**options, "form": "callee"}, check, _rebuild)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Take a constant for any number of its type: a specialisation for each constant would be compiled apart."""
        return super().get_call_template(tuple(types.misc.unliteral(arg) for arg in args), kws)

    def compile(self, sig: Any) -> Any:
        """Do what Numba's method does, without its timers, which take notice of every event of nested compilations."""
        args, return_type = sigutils.normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter:
            if args not in self.overloads:
                result = self._cache.load_overload(sig, self.targetctx)
                if result is not None:
                    self.add_overload(result)
                else:
                    details = {"dispatcher": self, "args": args, "return_type": return_type}
                    with event.trigger_event("numba:compile", data=details):
                        try:
                            result = self._compiler.compile(args, return_type)
                        except ForceLiteralArg as request:
                            raise request.bind_fold_arguments(
                                lambda a, k: self._compiler.fold_argument_types(a, k)[1]
                            ) from None
                    self.add_overload(result)
                    self._cache.save_overload(sig, result)
            return self.overloads[args].entry_point

    def add_overload(self, result: CompileResult) -> None:
        """Make a compile result known to callers that are kernels."""
        self.targetctx.insert_user_function(result.fndesc, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=result.fndesc)


class _QuickFlags(Flags):  # type: ignore[misc]
    """Numba's options of a compilation, quicker to compare: typing looks them up at every call of a NumPy function."""

    __slots__ = ()

    def __init__(self, flags: Flags) -> None:
        super().__init__(copy_from=flags)

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _QuickFlags):
            return bool(self._values == other._values)
        return isinstance(other, Flags) and bool(self.values() == other.values())


_HASH_OF_FLAGS = hash(Flags())  # Numba hashes the names of the options alone


class _CalleeCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, ending as soon as there is LLVM code."""

    def define_pipelines(self) -> Any:
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        self.state.library = _CalleeLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _CalleeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code to be linked into other libraries; there is no machine code of it."""

    height = 0  # levels of calls below the function

    def _optimize_final_module(self) -> None:
        """Optimise small functions and what they call; the rest is left to the kernel in which the code ends.

        All that a function calls has been linked into it, so code would be optimised once for each level of calls.
        """
        self.height = max((1 + getattr(callee, "height", 0) for callee in self._linking_libraries), default=0)
        if self.height <= _LOW:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        """Return what ``_rebuild`` needs, in place of object code."""
        return self.name, self.height, self._get_module_for_linking().as_bitcode()


def _rebuild(  # type: ignore[no-untyped-def]
    target_context, library, fndesc, env, signature, objectmode, lifted, typeann, reload_init, envs
):
    """Return the compile result of a callee from its stored parts, as ``CompileResult._rebuild`` does for kernels."""
    name, height, bitcode = library
    library = _CalleeLibrary(target_context.codegen(), name)
    library.height = height
    library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
    library._finalize_final_module()
    return compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=env,
        entry_point=fndesc,
        fndesc=fndesc,
        type_annotation=typeann,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=envs,
    )
