import { expect, test } from 'vitest'
import { install, nested, notes, schema, testHostileFiles } from '../../testing/hostile-files'

testHostileFiles([
  [
    'records nested 100,000 deep',
    notes(`[{"id":1,"x":${nested(100_000)}}]`),
    'Invalid JSON',
    /deeper/,
  ],
  ['records nested 200 deep', notes(`[{"id":1,"x":${nested(200)}}]`), 'Invalid record', /deeper/],
  [
    'text nested 100,000 deep that ends early',
    notes(`[{"id":1,"x":${nested(100_000)}`),
    'Invalid JSON',
    /deeper/,
  ],
  [
    'a default nested 50,000 deep',
    schema(`{"name":"X","properties":[{"name":"a","type":"json","default":${nested(50_000)}}]}`),
    'Invalid JSON',
    /deep/,
  ],
  [
    'a default nested 200 deep',
    schema(`{"name":"X","properties":[{"name":"a","type":"json","default":${nested(200)}}]}`),
    'Invalid definition',
    /deep/,
  ],
  ['U+0000', notes('[{"id":1,"t":"a\\u0000b"}]'), 'Invalid record', /cannot store/],
  ['half of a surrogate pair', notes('[{"id":1,"t":"\\ud800"}]'), 'Invalid record', /cannot store/],
  [
    'an unknown key of a definition that cannot be stored',
    schema('{"name":"X","properties":[],"\\ud800":1}'),
    'Invalid definition',
    /cannot be stored/,
  ],
  [
    'a wrong value of a definition that is cut in the middle of a character',
    schema(`{"name":["a${'👩'.repeat(120)}"],"properties":[]}`),
    'Invalid definition',
    /text/,
  ],
  ['numbers that no column holds', notes('[{"id":1e400}]'), 'Invalid record', /whole number/],
])

test('__proto__ and constructor are plain data', async () => {
  const logs = await install(notes('[{"id":1,"__proto__":{"x":1},"constructor":{"y":2}}]'))
  expect(logs.map(({ status }) => status)).toEqual(['created', 'created'])
  expect(({} as { x?: number }).x).toBeUndefined()
})
