import { entityNameFault, propertyNameFault } from '@/lib/definitions/names'

const MAX_CHARS = 50

/** A name of an entity from that of a file: `open orders.csv` → `OpenOrders`. */
export function entityNameOf(fileName: string): string {
  const words = wordsOf(fileName.replace(/(\.[a-z0-9]{1,8})+$/i, ''))
  const name = words.map(capital).join('').slice(0, MAX_CHARS)
  return entityNameFault(name) === null ? name : `Imported${name}`.slice(0, MAX_CHARS)
}

/** A name of a property for each column, each once: `E-Mail address` → `eMailAddress`; names that are valid stay. */
export function propertyNamesOf(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const plain = propertyNameFault(column) === null ? column : nameOf(column)
    let name = plain
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${plain}${count}`
    taken.add(name.toLowerCase())
    return name
  })
}

function nameOf(column: string): string {
  const [first = 'column', ...others] = wordsOf(column)
  const name = [first.toLowerCase(), ...others.map(capital)].join('').slice(0, MAX_CHARS)
  return propertyNameFault(name) === null ? name : `field${capital(name)}`
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
