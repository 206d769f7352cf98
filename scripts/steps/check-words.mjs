import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'oxc-parser'
import { ROOT } from './run.mjs'

const FOLDERS = ['app', 'bench', 'bin', 'components', 'docs', 'e2e', 'lib', 'scripts']
const SOURCE = /\.(ts|tsx|mjs)$/

/**
 * Words that a reader would have to learn, and what says the same without. `in` is where each is
 * refused: names (of files, too), comments and titles of tests, documents. Ordinary English is refused in
 * names alone, where it would be a term. Texts that users read may use all of them.
 */
const WORDS = [
  { word: /^compan(y|ies)$/, say: 'batch', in: ['names', 'comments'] },
  { word: /^foret(old|ells?)$/, say: 'predicted', in: ['names', 'comments', 'documents'] },
  { word: /^patien(ce|t)$/, say: 'wait limit', in: ['names', 'comments', 'documents'] },
  { word: /^bring back$/, say: 'restore', in: ['names'] },
  { word: /^(tak(e|en)|took) back$/, say: 'rolled back', in: ['names'] },
  { word: /^note (?!of$)[a-z]+$/, say: 'record …', in: ['names'] },
  { word: /^gone$/, say: 'removed, missing, deleted', in: ['names'] },
  { word: /^given$/, say: 'input, or what it is', in: ['names'] },
  { word: /^ours$/, say: 'current, or whose it is', in: ['names'] },
  { word: /^theirs$/, say: 'incoming, or whose it is', in: ['names'] },
  { word: /^(lives|becoming)$/, say: 'is, is kept, becomes', in: ['names'] },
  { word: /^(shelf|goods|town)$/, say: 'the model that it holds', in: ['files'] },
  { word: /^(install|start) (shelf|goods|town)$/, say: 'the model that it holds', in: ['names'] },
]

/** Names of types that say nothing of what they are. */
const TYPES = /^(Found|Given|Shape|Done|Read)$/

/** Where one of these is the right word. */
const ALLOWED = [
  {
    why: 'names of the API beside `base`: the three states of a field',
    word: /^(ours|theirs)$/,
    text: /\b(base|conflicts|drift)\b/,
  },
  { why: 'an attribute of SCIM', word: /^givenName$/, text: /familyName/ },
  { why: 'a field of a customer', word: /^company$/, text: /\bcompany: '|'company'/ },
]

/** What is wrong with the words of the files in `folders`: one line each. */
export function checkWords(root, folders = FOLDERS) {
  return folders
    .flatMap((folder) => filesIn(root, folder))
    .flatMap((file) => faultsOf(root, file))
    .filter(
      (fault) => !ALLOWED.some(({ file, word }) => file === fault.file && word === fault.word),
    )
    .map(({ file, line, word, say }) => `${file}:${line} says "${word}": ${say}`)
}

function filesIn(root, folder) {
  const path = join(root, folder)
  if (statSync(path).isFile()) return [folder]
  return readdirSync(path, { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => SOURCE.test(name) || name.endsWith('.md'))
    .filter((name) => statSync(join(root, name)).isFile())
}

function faultsOf(root, file) {
  const text = readFileSync(join(root, file), 'utf8')
  const name = file.split('/').at(-1).replace(/\..*/, '')
  const faults = [
    ...faultsIn(name, 'files', file, 1),
    ...faultsIn(name, 'names', file, 1),
    ...contentFaults(file, text),
  ]
  const refused = faults.filter(
    (fault) => !ALLOWED.some((one) => one.word.test(fault.word) && one.text.test(text)),
  )
  // A name counts once a file, where it is first.
  return [
    ...new Map(refused.toReversed().map((fault) => [fault.word, fault])).values(),
  ].toReversed()
}

function contentFaults(file, text) {
  if (!SOURCE.test(file))
    return linesOf(text, 1).flatMap((one) => faultsIn(one.text, 'documents', file, one.line))
  // Most files have none of the words: those need no parser.
  if (faultsIn(text, 'names', file, 1).length === 0 && !TYPES_ANYWHERE.test(text)) return []
  const lineAt = (offset) => text.slice(0, offset).split('\n').length
  const { program, comments } = parseSync(file, text)
  const remarks = comments.flatMap(({ value, start }) => linesOf(value, lineAt(start)))
  const named = []
  visit(program, (node) => {
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier')
      named.push(...nameFaults(node.name, file, lineAt(node.start)))
    if (isTitle(node)) remarks.push({ text: node.arguments[0].value, line: lineAt(node.start) })
  })
  return [...remarks.flatMap((one) => faultsIn(one.text, 'comments', file, one.line)), ...named]
}

const TYPES_ANYWHERE = /\b(Found|Given|Shape|Done|Read)\b/

function nameFaults(name, file, line) {
  if (TYPES.test(name)) return [{ file, line, word: name, say: 'which one?' }]
  return faultsIn(name, 'names', file, line).map((fault) => ({ ...fault, word: name }))
}

/** Compares words, and pairs of them, of `camelCase`, `kebab-case` and sentences. */
function faultsIn(text, place, file, line) {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return WORDS.filter((one) => one.in.includes(place)).flatMap(({ word, say }) => {
    const index = words.findIndex(
      (one, at) => word.test(one) || word.test(`${one} ${words[at + 1] ?? ''}`),
    )
    return index < 0 ? [] : [{ file, line, word: words[index], say }]
  })
}

const linesOf = (text, first) =>
  text.split('\n').map((one, index) => ({ text: one, line: first + index }))

/** The first argument of `test('…')`, `describe('…')`, `test.skipIf(…)('…')`. */
function isTitle({ type, callee, arguments: [title] = [] }) {
  if (type !== 'CallExpression' || typeof title?.value !== 'string') return false
  let called = callee
  while (called.callee ?? called.object) called = called.callee ?? called.object
  return /^(test|describe|it)$/.test(called.name)
}

function visit(node, each) {
  if (Array.isArray(node)) for (const one of node) visit(one, each)
  if (typeof node?.type !== 'string') return
  each(node)
  for (const key in node) if (key !== 'type') visit(node[key], each)
}

/** `node scripts/steps/check-words.mjs lib/search …`: faults, and how many there are in each folder. */
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folders = process.argv.slice(2).map((path) => relative(ROOT, join(process.cwd(), path)))
  const faults = checkWords(ROOT, folders.length > 0 ? folders : undefined)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  const counts = new Map()
  for (const fault of faults) {
    const folder = fault.split('/').slice(0, 2).join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  for (const [folder, count] of counts) process.stdout.write(`${count}\t${folder}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
