# mypy: disable-error-code="no-untyped-def, no-untyped-call"
"""What the kernels tell the compiler directly: bits, references, memory."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def lowest_bit(typing_context, word):
    """The number of the lowest bit that is set in *word* (int64, not zero)."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.int64), generate


@intrinsic
def highest_bit(typing_context, word):
    """The number of the highest bit that is set in *word* (int64, not zero)."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], cgutils.true_bit)
        return builder.sub(arguments[0].type(63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def count_bits(typing_context, word):
    """How many bits are set in *word* (int64)."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def borrowed(typing_context, array):
    """*array*, without a count of its references; the caller has to keep it alive.

    Compiled code counts the references to an array with an atomic instruction at every call
    that takes it; in small functions that may take longer than all the rest.
    """

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.return_type)(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


@intrinsic
def address_of(typing_context, array):
    """Where the first entry of *array* lies in memory."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), generate


@intrinsic
def fetch_ahead(typing_context, address):
    """Ask for the cache line at *address*, and do not wait for it. Changes nothing else."""

    def generate(context, builder, signature, arguments):
        pointer = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        form = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], form)
        to_read, keep, data = number(0), number(3), number(1)
        builder.call(prefetch, [pointer, to_read, keep, data])
        return context.get_dummy_value()

    return types.void(types.int64), generate
