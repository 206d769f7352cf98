/** A value for each kind of request is enough; odd ones are made again. */
const MAX_VALUES = 100
/** A longer kind is not kept. */
const MAX_KIND_CHARS = 8_000

/** What is made of an object, by kinds, for as long as the object lives; of many kinds those that were used last. */
export class KeptByOwner<Owner extends object, Value> {
  private readonly byOwner = new WeakMap<Owner, Map<string, Value>>()

  get(owner: Owner, kind: string): Value | undefined {
    const known = this.byOwner.get(owner)
    const found = known?.get(kind)
    if (found === undefined) return undefined
    known?.delete(kind) // the least recently used one comes first
    known?.set(kind, found)
    return found
  }

  set(owner: Owner, kind: string, value: Value): void {
    if (kind.length > MAX_KIND_CHARS) return
    const known = this.byOwner.get(owner) ?? new Map<string, Value>()
    this.byOwner.set(owner, known)
    known.set(kind, value)
    if (known.size > MAX_VALUES) known.delete(known.keys().next().value ?? '')
  }
}
