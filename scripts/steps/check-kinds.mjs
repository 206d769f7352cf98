import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sources } from '../structure/sources.mjs'

const LIST = 'lib/kinds/kind.ts'

/** Where kinds of something else bear the names of kinds of fields. */
const OTHER_KINDS = [
  'components/entities/nested/json-list.ts', // of the items of a list
  'components/entities/nested/json-pairs.ts', // of the values of an object
  'components/entities/nested/pairs-editor.tsx',
  'components/entities/shape-text.ts', // of indexes
  'lib/advice/read-index-request.ts',
  'lib/advice/suggest-indexes.ts',
  'lib/tables/table-indexes.ts',
  'lib/definitions/computed-expression.ts', // of tokens
  'lib/mail/mail-html.ts', // of paragraphs
]

/** By names of kinds: comparisons, cases, lists. */
const branchesOn = (names) => [
  `\\b[kK]ind ?[!=]== '(?:${names})'`,
  `switch \\((?:\\w+\\.)*kind\\) \\{\\s*case '(?:${names})'`,
  `\\[(?:'(?:${names})'(?:, )?)+\\]\\.includes\\((?:\\w+\\.)*kind\\)`,
  "Record<(?:Property|ColumnDescription)\\['kind'\\]",
]
/** Of the type `Kind` of `lib/kinds`. */
const BY_TYPE = ['Record<Kind\\b', 'Map<Kind\\b', 'Set<Kind\\b', 'readonly Kind\\[\\] = ']

/**
 * What branches on the names of kinds of fields: only `lib/kinds` and `components/kinds` may, so that a new kind
 * is complete when those compile. All else asks `KINDS`, `CONSOLE_KINDS`, or what values are by themselves (`isTextKind`, …).
 */
export function checkKinds(root) {
  const names = kindNames(readFileSync(join(root, LIST), 'utf8')).join('|')
  const anywhere = new RegExp(branchesOn(names).join('|'), 'g')
  const ofKinds = new RegExp([...branchesOn(names), ...BY_TYPE].join('|'), 'g')
  return sources(root)
    .filter((file) => !/^(lib|components)\/kinds\//.test(file) && !OTHER_KINDS.includes(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const branch = text.includes("from '@/lib/kinds/kind'") ? ofKinds : anywhere
      return [...text.matchAll(branch)].map(({ 0: found, index }) => {
        const line = text.slice(0, index).split('\n').length
        return `${file}:${line} branches on kinds of fields: ${found}`
      })
    })
}

const kindNames = (text) => {
  const body = /KIND_TRAITS = \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? ''
  return [...body.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name)
}
