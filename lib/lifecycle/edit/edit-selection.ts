import type { Entity } from '@/lib/definitions/definition'
import { propertyNameFault } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { EditBody, FieldRename, LogSwitch } from '@/lib/lifecycle/contract'
import type { Selection } from '@/lib/lifecycle/export/selection'
import { suggestion } from '@/lib/values/nearest'
import { nextManifest } from './next-version'
import { renameField } from './rename-field'

type Edit = EditBody['edits'][number]

/**
 * The next version of a plugin, after the edits one after the other. Throws `invalid_input` at the first that can't be
 * made, with its place, and `conflict` for one of a schema of another plugin. Pure.
 */
export function editSelection(selection: Selection, edits: readonly Edit[]): Selection {
  const edited = edits.reduce(
    (before, edit, at) => applyEdit(before, edit, at, selection),
    selection,
  )
  return { ...edited, manifest: nextManifest(edited.manifest) }
}

/** `installed`: before all edits. */
function applyEdit(selection: Selection, edit: Edit, at: number, installed: Selection): Selection {
  const refuse: Refuse = (key, error) => {
    throw new AppError('invalid_input', error, {
      validations: [{ field: `edits.${at}.${key}`, error }],
    })
  }
  return edit.type === 'rename-field'
    ? checkedRename(selection, edit, installed, refuse)
    : keepLog(selection, edit, refuse)
}

const LOGS = {
  'keep-history': { key: 'history', kept: 'its history', none: 'no history' },
  'keep-events': { key: 'events', kept: 'its events', none: 'no events' },
} as const

function keepLog(
  selection: Selection,
  { type, entity: name, enabled }: LogSwitch,
  refuse: Refuse,
): Selection {
  const { key, kept, none } = LOGS[type]
  const { definition } = entityIn(selection, name, refuse)
  if ((definition[key] ?? false) === enabled)
    refuse('enabled', `${name} keeps ${enabled ? kept : none} already`)
  const { [key]: _, ...rest } = definition
  const changed = enabled ? { ...rest, [key]: true as const } : rest
  return {
    ...selection,
    entities: selection.entities.map((one) =>
      one.entity.name === name ? { ...one, entity: { ...one.entity, definition: changed } } : one,
    ),
  }
}

/** A name that is in use in `installed` holds other values until the next version. */
function checkedRename(
  selection: Selection,
  { entity, field: from, to, label }: FieldRename,
  installed: Selection,
  refuse: Refuse,
): Selection {
  const { schema, names, labelled } = fieldsOf(selection, entity, refuse)
  if (!names.includes(from))
    refuse('field', `${entity} declares no field "${from}"${suggestion(from, names)}`)
  const fault = propertyNameFault(to)
  if (fault !== null) refuse('to', `The name ${JSON.stringify(to)} can't be used: ${fault}`)
  const taken = [...names, ...fieldsOf(installed, entity, refuse).names]
  const other = taken.find((name) => name !== from && name.toLowerCase() === to.toLowerCase())
  if (other !== undefined) refuse('to', `${entity} has a field "${other}" already`)
  if (to === from && label === undefined) refuse('to', `The field is called "${to}" already`)
  if (label !== undefined && !labelled.includes(from))
    refuse('label', `"${from}" is a key that no schema declares, so it has no label`)
  return renameField(selection, { schema, from, to, ...(label === undefined ? {} : { label }) })
}

type Refuse = (key: keyof FieldRename | keyof LogSwitch, error: string) => never

/** The schema of an entity, and the names of its fields, of which only those that the schema declares have a label. */
function fieldsOf(selection: Selection, name: string, refuse: Refuse) {
  const { schemas } = selection
  const found = entityIn(selection, name, refuse)
  const schema = found.definition.engineSchema ?? name
  const declared = schemas.find((one) => one.name === schema)
  if (found.schema && !declared)
    throw new AppError(
      'conflict',
      `The fields of "${name}" are declared by the schema "${schema}" of another plugin; edit that one`,
    )
  const labelled = declared?.properties.map((property) => property.name) ?? []
  const keys = found.definition.keys.map(({ key }) => key)
  return { schema, names: [...new Set([...keys, ...labelled])], labelled }
}

function entityIn({ entities }: Selection, name: string, refuse: Refuse): Entity {
  const known = entities.map(({ entity }) => entity.name)
  const found = entities.find(({ entity }) => entity.name === name)?.entity
  return found ?? refuse('entity', `The plugin has no entity "${name}"${suggestion(name, known)}`)
}
