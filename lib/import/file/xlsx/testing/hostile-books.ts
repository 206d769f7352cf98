import { HOSTILE_ARCHIVES } from './hostile-archives'
import { type HostileBook, randomOf } from './hostile-book'
import { HOSTILE_CELLS } from './hostile-cells'
import { HOSTILE_PARTS } from './hostile-parts'
import { HOSTILE_XML } from './hostile-xml'

const KINDS = Object.entries({
  ...HOSTILE_ARCHIVES,
  ...HOSTILE_CELLS,
  ...HOSTILE_PARTS,
  ...HOSTILE_XML,
})

/** So many hostile workbooks, of all kinds in turn; the same for the same seed. */
export function* hostileBooks(seed: number, count: number): Generator<HostileBook> {
  for (let n = 0; n < count; n++) {
    const [name, make] = KINDS[n % KINDS.length] as (typeof KINDS)[number]
    yield { name: `${name} (${n})`, ...make(randomOf(seed + n)) }
  }
}
