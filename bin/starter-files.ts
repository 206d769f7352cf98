type Starter = {
  id: string
  name: string
  entity: string
  /** The address below which the engine serves its JSON Schemas. */
  schemas: string
}

/** `{ path: content }` of a plugin to start from. */
export function starterFiles({ id, name, entity, schemas }: Starter): Record<string, object> {
  const $schema = (kind: string) => ({ $schema: `${schemas}/${kind}.json` })
  return {
    'engineplugin.json': {
      ...$schema('plugin'),
      ...{ id, name, version: '1.0.0', description: '', author: '' },
    },
    'EngineEntities/__manifest__.json': { ...$schema('component'), target: 'EngineEntities' },
    [`EngineEntities/${entity}.json`]: {
      ...$schema('entity'),
      name: entity,
      pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }],
    },
    'EngineSchemas/__manifest__.json': { ...$schema('component'), target: 'EngineSchemas' },
    [`EngineSchemas/${entity}.json`]: {
      ...$schema('schema'),
      name: entity,
      properties: [
        { name: 'id', type: 'string', meta: { maxLength: 40 } },
        { name: 'name', type: 'string', meta: { required: true, maxLength: 200 } },
      ],
    },
    [`${entity}/__manifest__.json`]: {
      ...$schema('component'),
      target: entity,
      insertDuplicate: 'Upsert',
    },
    [`${entity}/data.json`]: [{ id: 'first', name: 'The first one' }],
  }
}
