import type { ColumnDescription } from './types'

/** What stands behind a field's label: its technical name, its type, its description. */
export const fieldHint = ({ name, type, key, declared, description }: ColumnDescription): string =>
  [`${name}: ${type}`, key && 'key', !declared && 'undeclared', description]
    .filter(Boolean)
    .join(', ')
