import { notes, schema, testHostileFiles } from '../../testing/hostile-files'

testHostileFiles([
  ['a list of commas', notes(`[${','.repeat(5_000_000)}1]`), 'Invalid JSON', /Expected a value/],
  [
    'a record of too many values',
    notes(`[{"id":1,"x":[[]${',[]'.repeat(600_000)}]}]`),
    'Invalid record',
    /more than 500000 values/,
  ],
  [
    'variables that make gigabytes',
    {
      Note: {
        manifest: { target: 'Note', variables: { big: 'x'.repeat(100_000) } },
        files: { 'data.json': JSON.stringify([{ id: 1, t: '${manifest.big}'.repeat(100_000) }]) },
      },
    },
    'Invalid record',
    /Variables make it too large/,
  ],
  [
    'a file of definitions of more than a MiB',
    schema(`{"name":"X","properties":[],"note":"${'x'.repeat(2_000_000)}"}`),
    'Invalid definition',
    /larger than 1 MiB/,
  ],
  [
    'a manifest of more than a MiB',
    { Y: { manifest: { target: 'Note', x: 'x'.repeat(2_000_000) }, files: { 'a.json': '[]' } } },
    'Invalid definition',
    /must not be larger than 1 MiB/,
  ],
  [
    'a manifest of too many values',
    { Y: { manifest: { target: 'Note', x: Array(30_000).fill(0) }, files: { 'a.json': '[]' } } },
    'Invalid definition',
    /must not contain more than 20000 values/,
  ],
])
