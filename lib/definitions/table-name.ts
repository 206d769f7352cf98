import { createHash } from 'node:crypto'
import { MAX_NAME } from './names'

const DIGEST_LENGTH = 10

/** The table of an entity that names none: the name in snake case; a longer one is cut, and told from others by a digest. */
export function tableNameOf(entity: string): string {
  const name = snakeCase(entity)
  if (name.length <= MAX_NAME) return name
  const digest = createHash('sha256').update(entity).digest('hex').slice(0, DIGEST_LENGTH)
  return `${name.slice(0, MAX_NAME - DIGEST_LENGTH - 1)}_${digest}`
}

/** `WorldAirport` → `world_airport`, `HTTPServer2` → `http_server2`. */
const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
