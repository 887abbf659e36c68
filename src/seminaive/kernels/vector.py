"""Single machine instructions that loops of scalars do not reliably become."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

__all__ = [
    "add_four",
    "add_to",
    "add_two",
    "equal_bits",
    "is_below",
    "load",
    "popcount",
    "store",
    "times",
    "times_number",
    "word_at",
]

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


@intrinsic
def word_at(typing_context: Any, data: Any, place: Any) -> Any:
    """Eight bytes of an array, from entry ``place`` on, as one number, the first one lowest."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        begin = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(begin, [arguments[1]]), ir.IntType(64).as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(data, types.int64), generate


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


class Lanes(types.Type):
    """Several float64 in one register, on which one instruction works; never leaves a kernel."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Lanes({width})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, _vector(lanes))


def _vector(lanes: Lanes) -> Any:
    return ir.VectorType(ir.DoubleType(), lanes.width)


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any, lanes: Lanes) -> Any:
    """Pointer to ``array[index : index + width]`` of a flat array of type ``kind``."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _vector(lanes).as_pointer())


def _repeated(builder: Any, number: Any, lanes: Lanes) -> Any:
    undefined = ir.Constant(_vector(lanes), ir.Undefined)
    single = builder.insert_element(undefined, number, ir.Constant(_INDEX, 0))
    first = ir.Constant(ir.VectorType(_INDEX, lanes.width), [0] * lanes.width)
    return builder.shuffle_vector(single, undefined, first)


@intrinsic
def load(typing_context: Any, like: Any, source: Any, i: Any) -> Any:
    """``source[i : i + width]`` as lanes; the tuple ``like`` has as many entries as there are lanes."""
    lanes = Lanes(len(like))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, array, index = arguments
        return builder.load(_place(context, builder, source, array, index, lanes), align=8)

    return lanes(like, source, types.int64), generate


@intrinsic
def store(typing_context: Any, lanes: Any, target: Any, i: Any) -> Any:
    """``target[i : i + width] = lanes``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, array, index = arguments
        builder.store(values, _place(context, builder, target, array, index, lanes), align=8)
        return context.get_dummy_value()

    return types.void(lanes, target, types.int64), generate


@intrinsic
def add_to(typing_context: Any, lanes: Any, target: Any, i: Any) -> Any:
    """``target[i : i + width] += lanes``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, array, index = arguments
        place = _place(context, builder, target, array, index, lanes)
        builder.store(builder.fadd(builder.load(place, align=8), values), place, align=8)
        return context.get_dummy_value()

    return types.void(lanes, target, types.int64), generate


@intrinsic
def times(typing_context: Any, lanes: Any, source: Any, i: Any) -> Any:
    """``lanes * source[i : i + width]``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, array, index = arguments
        factor = builder.load(_place(context, builder, source, array, index, lanes), align=8)
        return builder.fmul(values, factor)

    return lanes(lanes, source, types.int64), generate


@intrinsic
def times_number(typing_context: Any, lanes: Any, number: Any) -> Any:
    """``lanes * number``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(arguments[0], _repeated(builder, arguments[1], lanes))

    return lanes(lanes, types.float64), generate


@intrinsic
def is_below(typing_context: Any, lanes: Any, bound: Any) -> Any:
    """Whether any lane is above 0 and below ``bound``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, number = arguments
        low = builder.fcmp_ordered("<", values, _repeated(builder, number, lanes))
        positive = builder.fcmp_ordered(">", values, ir.Constant(_vector(lanes), [0.0] * lanes.width))
        bits = ir.IntType(lanes.width)
        found = builder.bitcast(builder.and_(low, positive), bits)
        return builder.icmp_unsigned("!=", found, ir.Constant(bits, 0))

    return types.boolean(lanes, types.float64), generate
