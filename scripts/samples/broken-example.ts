import type { Files } from './write-zip'

/**
 * A plugin of which four files fail, each for another reason, while its other files are installed:
 * it shows the errors that an author sees.
 */
export const brokenExample = (): Files => ({
  'engineplugin.json': {
    id: 'com.example.broken-example',
    name: 'Broken example',
    version: '1.0.0',
    description: 'Four of its files fail on purpose, each for another reason',
    author: 'Engine',
    license: 'Public domain',
  },
  'EngineEntities/__manifest__.json': { target: 'EngineEntities' },
  'EngineEntities/Task.json': {
    name: 'Task',
    pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
  },
  'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
  'EngineSchemas/Task.json': {
    name: 'Task',
    additionalProperties: false,
    properties: [
      { name: 'id', type: 'integer', meta: { required: true } },
      { name: 'title', type: 'string', meta: { required: true, minLength: 1 } },
      { name: 'state', type: 'string', meta: { enum: ['open', 'done'], default: 'open' } },
      { name: 'due', type: 'date' },
    ],
  },
  'Task/__manifest__.json': { target: 'Task', insertDuplicate: 'Upsert' },
  'Task/data.json': [
    { id: 1, title: 'Read the history of this install', state: 'open', due: '2026-03-01' },
    { id: 2, title: 'See which files failed, and why', state: 'open' },
    { id: 3, title: 'Find that the good files are in', state: 'done' },
  ],
  'Task/conflict/__manifest__.json': { target: 'Task', insertDuplicate: 'Error' },
  'Task/conflict/data.json': [
    { id: 10, title: 'The first with this key' },
    { id: 10, title: 'The second with this key' },
  ],
  'Task/invalid-json.json': '[\n  { "id": 20, "title": "No closing bracket" }\n',
  'Task/invalid-record.json': [
    { id: 30, title: 'This one alone would do' },
    { id: 31, title: 'No such state', state: 'maybe' },
  ],
  'Invoice/__manifest__.json': { target: 'Invoice' },
  'Invoice/data.json': [{ id: 1, total: 12.5 }],
})
