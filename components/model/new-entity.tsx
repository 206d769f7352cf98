'use client'

import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { Card } from '@/components/ui/card'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import { entityNameFault } from '@/lib/definitions/names'
import { LOCAL_MODEL } from '@/lib/lifecycle/model-contract'
import { NEW_KEY } from './entity-draft'
import {
  editedModel,
  isEdited,
  type ModelBase,
  type ModelDraft,
  modelDraftOf,
  rebasedModel,
} from './model-draft'
import { APPLYING, ModelPlan } from './model-plan'
import { ModelSections } from './model-sections'

/** As from a file: undeclared fields are refused and every version is kept. */
const BASE: ModelBase = {
  entity: { name: '', pks: [NEW_KEY], history: true },
  schema: { name: '', additionalProperties: false, properties: [] },
}
const EMPTY = { plugin: LOCAL_MODEL, model: modelDraftOf(BASE) }
/** Begins the ids of plugins that are made here. */
export const LOCAL = 'local.'

/** An entity that is defined here, of a plugin that is made here. */
export function NewEntity() {
  const [draft, setDraft] = useState(EMPTY)
  const entities = useQuery(entitiesOptions).data?.data ?? []
  const navigate = useNavigate()
  const { plugin, model } = draft
  const name = model.entity.name.trim()
  const isDirty = plugin !== LOCAL_MODEL || isEdited(BASE, model)
  const reset = () => setDraft(EMPTY)
  const kept = useDraft<typeof EMPTY>({
    form: 'new entity',
    what: 'The new entity is not applied yet.',
    values: isDirty ? draft : null,
    restore: (before) => setDraft({ ...before, model: restored(before.model) }),
    reset,
  })
  const change = useMemo(
    () => ({ plugin: plugin.trim(), ...editedModel(BASE, model) }),
    [plugin, model],
  )
  const isApplying = useIsMutating({ mutationKey: APPLYING }) > 0
  const taken = isApplying ? [] : entities.map((one) => one.name)
  const faults = {
    name: nameFault(name, taken),
    plugin: isLocal(plugin) ? null : `The id of a plugin that is made here begins with ${LOCAL}`,
  }
  const onApplied = () => {
    kept.settle()
    toast.success(`The entity ${name} was created`)
    navigate(`/entities/${encodeURIComponent(name)}`)
  }
  return (
    <>
      <DraftNotice restored={kept.restored} />
      <Names
        {...{ plugin, name: model.entity.name, faults }}
        plugins={entities.flatMap(({ pluginId }) => pluginId ?? []).filter(isLocal)}
        onName={(next) =>
          setDraft({ ...draft, model: { ...model, entity: { ...model.entity, name: next } } })
        }
        onPlugin={(next) => setDraft({ ...draft, plugin: next })}
      />
      <ModelSections
        base={NO_KEYS}
        draft={model}
        onChange={(next) => setDraft({ ...draft, model: next })}
      />
      {name !== '' && faults.name === null && faults.plugin === null && (
        <ModelPlan
          change={change}
          edits={[`New entity ${name}`]}
          created={name}
          onDiscard={() => {
            kept.settle()
            reset()
          }}
          onApplied={onApplied}
        />
      )}
    </>
  )
}

/** With what edits that an earlier version kept lack. */
const restored = (draft: ModelDraft) => rebasedModel({ draft, former: EMPTY.model.entity }, BASE)

/** All its keys can have other names still. */
const NO_KEYS: ModelBase = { ...BASE, entity: { name: '' } }

const isLocal = (plugin: string) => plugin.startsWith(LOCAL) && plugin.trim() !== LOCAL

function nameFault(name: string, taken: readonly string[]): string | null {
  if (name === '') return null
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase()))
    return 'Another entity has this name'
  const fault = entityNameFault(name)
  return fault === null ? null : `This name can’t be used: ${fault}`
}

type NamesProps = {
  name: string
  plugin: string
  plugins: readonly string[]
  faults: Record<'name' | 'plugin', string | null>
  onName: (name: string) => void
  onPlugin: (plugin: string) => void
}

function Names({ name, plugin, plugins, faults, onName, onPlugin }: NamesProps) {
  const list = useId()
  return (
    <Card title="Entity">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField
          label="Name"
          required
          error={faults.name}
          hint="As API clients use it, such as Invoice"
        >
          <NameInput value={name} onValueChange={onName} />
        </FormField>
        <FormField
          label="Plugin"
          required
          error={faults.plugin}
          hint="It gets the entity in its next version; another id makes a new plugin"
        >
          <Input
            list={list}
            value={plugin}
            autoComplete="off"
            onChange={({ target }) => onPlugin(target.value)}
          />
        </FormField>
        <datalist id={list}>
          {[...new Set(plugins)].map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      </div>
    </Card>
  )
}
