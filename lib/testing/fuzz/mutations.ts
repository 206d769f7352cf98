import fc from 'fast-check'
import type { Json } from '@/lib/values/json'

/** Values that no reader expects everywhere. */
const ODD: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', 'null', '\u0000', '__proto__'),
  fc.constantFrom<Json>([], {}, [[]], [null], { '': '' }, 'a'.repeat(300), '(a+)+$', '../..', '%'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

type Change = { at: number; kind: 'replace' | 'remove' | 'rename' | 'repeat'; value: Json }

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'rename', 'repeat'),
  value: ODD,
})

/** JSON of `base` with up to three changes at any of its nodes, the root among them. */
export const mutated = (base: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(base, fc.array(change, { maxLength: 3 }))
    .map(([json, changes]) => changes.reduce(changed, json))

function changed(json: Json, { at, kind, value }: Change): Json {
  const root: { json: Json } = { json: structuredClone(json) }
  const nodes = [...placesIn(root)]
  const place = nodes[at % nodes.length]
  if (place) APPLY[kind](place.of as Record<string, Json>, place.key, value)
  return root.json
}

type Place = { of: object; key: string }

function* placesIn(of: object): Generator<Place> {
  for (const [key, value] of Object.entries(of)) {
    yield { of, key }
    if (typeof value === 'object' && value !== null) yield* placesIn(value)
  }
}

const put = (of: Record<string, Json>, key: string, value: Json) =>
  Object.defineProperty(of, key, { value, enumerable: true, writable: true, configurable: true })

const APPLY: Record<Change['kind'], (of: Record<string, Json>, key: string, value: Json) => void> =
  {
    replace: put,
    remove: (of, key) => {
      if (Array.isArray(of)) of.splice(Number(key), 1)
      else if ('json' in of) of.json = null
      else delete of[key]
    },
    rename: (of, key, value) => {
      if (Array.isArray(of) || 'json' in of) return
      put(of, String(value), of[key] ?? null)
      delete of[key]
    },
    repeat: (of, key) => {
      if (Array.isArray(of)) of.push(of[Number(key)] ?? null)
      else put(of, `${key}2`, of[key] ?? null)
    },
  }

type Cut = { at: number; kind: 'set' | 'insert' | 'remove' | 'move'; length: number; byte: number }

const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('set', 'set', 'insert', 'remove', 'move'),
  length: fc.constantFrom(1, 1, 2, 4, 22, 46),
  byte: fc.oneof(fc.constantFrom(0, 1, 8, 0x50, 0x7f, 0x80, 0xff), fc.nat(255)),
})

/** `bytes` with one to four changes, half of them in their last third, where an archive has its directory. */
export const mutatedBytes = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(bytes, fc.array(fc.tuple(fc.boolean(), cut), { minLength: 1, maxLength: 4 }))
    .map(([all, cuts]) => cuts.reduce(changedBytes, all))

function changedBytes(bytes: Uint8Array, [isLate, one]: [boolean, Cut]): Uint8Array {
  const from = isLate ? Math.floor((bytes.length * 2) / 3) : 0
  const at = from + (one.at % Math.max(1, bytes.length - from))
  const part = bytes.subarray(at, at + one.length)
  const after = bytes.subarray(at + one.length)
  const filled = new Uint8Array(one.length).fill(one.byte)
  const before = bytes.subarray(0, at)
  if (one.kind === 'set')
    return Uint8Array.from([...before, ...filled.subarray(0, part.length), ...after])
  if (one.kind === 'insert') return Uint8Array.from([...before, ...filled, ...part, ...after])
  if (one.kind === 'remove') return Uint8Array.from([...before, ...after])
  return Uint8Array.from([...before, ...after, ...part])
}
