"""Single machine instructions that loops of scalars do not reliably become."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["add_four", "add_two", "equal_bits", "popcount"]

_INDEX = ir.IntType(32)


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Number of ones of a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(count, arguments)

    return types.int64(types.uint64), generate


@intrinsic
def equal_bits(typing_context: Any, block: Any, value: Any) -> Any:
    """Bit b of the result: ``block[b] == value``, for an array of 64 bytes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        vector = ir.VectorType(ir.IntType(8), 64)
        block = builder.load(builder.bitcast(data, vector.as_pointer()), align=1)
        undefined = ir.Constant(vector, ir.Undefined)
        single = builder.insert_element(undefined, arguments[1], ir.Constant(_INDEX, 0))
        splat = builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(_INDEX, 64), [0] * 64))
        return builder.bitcast(builder.icmp_unsigned("==", block, splat), ir.IntType(64))

    return types.uint64(block, types.uint8), generate


def _vector_add(width: int) -> Any:
    @intrinsic
    def add(typing_context: Any, target: Any, i: Any, source: Any, j: Any) -> Any:
        """target[i : i + width] += source[j : j + width], for flat arrays of float64 that do not overlap."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            vector = ir.VectorType(ir.DoubleType(), width)

            def place(array: int, index: int) -> Any:
                data = context.make_array(signature.args[array])(context, builder, arguments[array]).data
                return builder.bitcast(builder.gep(data, [arguments[index]]), vector.as_pointer())

            to = place(0, 1)
            total = builder.fadd(builder.load(to, align=8), builder.load(place(2, 3), align=8))
            builder.store(total, to, align=8)
            return context.get_dummy_value()

        return types.void(target, types.int64, source, types.int64), generate

    return add


add_two = _vector_add(2)
add_four = _vector_add(4)
