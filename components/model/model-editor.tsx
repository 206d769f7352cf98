'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { Page } from '@/components/shell/page'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { useNavigate } from '@/components/ui/pending-page'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import type { WrittenDefinition } from '@/lib/lifecycle/model-contract'
import { entityDraftOf } from './entity-draft'
import {
  editedModel,
  isEdited,
  type KeptModel,
  type ModelBase,
  type ModelDraft,
  modelDraftOf,
  modelEdits,
  rebasedModel,
} from './model-draft'
import { ModelPlan } from './model-plan'
import { definitionOptions } from './model-queries'
import { ModelSections } from './model-sections'
import { LOCAL } from './new-entity'
import { RemoveEntity } from './remove-entity'

/** The definitions of an entity, to be edited; each edit shows what it would do. */
export function ModelEditor({ name }: { name: string }) {
  const definition = useQuery(definitionOptions(name))
  const { schema, schemaPlugin, plugin } = definition.data ?? {}
  const owner = schema ? schemaPlugin : plugin
  const href = `/entities/${encodeURIComponent(name)}/definition`
  return (
    <Page
      title={`Edit ${name}`}
      description="Nothing changes until you apply it. Every version can be rolled back."
      actions={
        <Link href={href} className={buttonClass()}>
          Definition
        </Link>
      }
    >
      {definition.isPending && <Skeleton className="h-60" />}
      <ErrorState of={definition} />
      {definition.data && !owner && (
        <Notice title="This definition can’t be edited here">
          {schema
            ? 'Its schema belongs to no plugin: install one that defines it.'
            : 'The entity belongs to no plugin: install one that defines it.'}
        </Notice>
      )}
      {definition.data && owner && (
        <Definition
          key={`${owner} ${definition.data.lastHistoryId}`}
          name={name}
          owner={owner}
          written={definition.data}
        />
      )}
    </Page>
  )
}

type Props = { name: string; owner: string; written: WrittenDefinition }

function Definition({ name, owner, written }: Props) {
  const base = useMemo(() => baseOf(written), [written])
  const [draft, setDraft] = useState(() => modelDraftOf(base))
  const navigate = useNavigate()
  const isDirty = isEdited(base, draft)
  const reset = () => setDraft(modelDraftOf(base))
  const kept = useDraft<KeptModel>({
    form: `definition ${name}`,
    what: `The definition of ${name} is not applied yet.`,
    values: isDirty ? { draft, former: entityDraftOf(base.entity, base.schema) } : null,
    version: JSON.stringify(base),
    restore: (values) => setDraft(rebasedModel(values, base)),
    reset,
  })
  const change = useMemo(() => changeOf(owner, written, base, draft), [owner, written, base, draft])
  const onApplied = (history: number) => {
    kept.settle()
    toast.success(`The definition of ${name} was changed`, {
      action: { label: 'Show', onClick: () => navigate(`/plugins/history/${history}`) },
    })
  }
  return (
    <>
      <DraftNotice restored={kept.restored} />
      <ModelSections
        {...{ base, draft }}
        description={`Of the plugin ${owner}`}
        otherOwner={written.plugin === owner ? undefined : written.plugin}
        onChange={setDraft}
      />
      {owner.startsWith(LOCAL) && written.plugin === owner && (
        <RemoveEntity name={name} plugin={owner} onRemoved={kept.settle} />
      )}
      {isDirty && (
        <ModelPlan
          change={change}
          edits={modelEdits(base, draft)}
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

/** An entity without a schema has one as soon as it has fields. */
function baseOf({ entity, schema }: WrittenDefinition): ModelBase {
  const named = entity as unknown as ModelBase['entity']
  const empty = { name: named.engineSchema ?? named.name, properties: [] }
  return { entity: named, schema: (schema ?? empty) as unknown as ModelBase['schema'] }
}

const changeOf = (
  plugin: string,
  { lastHistoryId }: WrittenDefinition,
  base: ModelBase,
  draft: ModelDraft,
) => ({ plugin, lastHistoryId: lastHistoryId ?? undefined, ...editedModel(base, draft) })
