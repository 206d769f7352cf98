import { expect, test } from 'vitest'
import { readPlugin } from './open-archive'
import { parsePlugin } from './parse-plugin'

const LIMITS = { MAX_RECORDS: 100, MAX_JSON_BYTES: 1000, MAX_UNPACKED_BYTES: 1000 }
const PLUGIN = '{ "id": "com.example.shop" }'

const parse = (files: Record<string, string>, plugin = PLUGIN) => {
  const entries = Object.entries({ 'engineplugin.json': plugin, ...files })
  const opened = readPlugin(new Map(entries.map(([path, text]) => [path, Buffer.from(text)])))
  return parsePlugin(opened, LIMITS)
}

test('a variable hides a key of the manifest of the same name', async () => {
  const plugin = '{ "id": "com.example.shop", "name": "Shop", "variables": { "name": "Other" } }'
  const { files } = await parse(
    { 'A/__manifest__.json': '{ "target": "${config.name}" }', 'A/a.json': '[]' },
    plugin,
  )
  expect(files.map(({ target }) => target)).toEqual(['Other'])
})

test('a cycle through one of several folders of a target is refused', async () => {
  const files = {
    'A/__manifest__.json': '{ "target": "A", "dependencies": ["B"] }',
    'A2/__manifest__.json': '{ "target": "A" }',
    'B/__manifest__.json': '{ "target": "B", "dependencies": ["A"] }',
    ...{ 'A/a.json': '[]', 'A2/a.json': '[]', 'B/b.json': '[]' },
  }
  await expect(parse(files)).rejects.toThrow('The dependencies form a cycle: A → B → A')
})

test('numbers of a manifest keep their digits, wherever they are', async () => {
  for (const number of ['12345678901234567890', '[1, { "a": 0.12345678901234567890 }]'])
    expect(() =>
      parse({}, `{ "id": "com.example.shop", "variables": { "n": ${number} } }`),
    ).toThrow('it has more digits than a number keeps')
})

test.each(['shop', 'com.example.shop/..', 'com.example.shop ', '.com.example', 'com..example'])(
  'the id %j is refused',
  (id) => {
    expect(() => parse({}, JSON.stringify({ id }))).toThrow('reverse-domain style')
  },
)
