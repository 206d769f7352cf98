import { Notice } from '@/components/ui/notice'
import { DisplayCard } from './display-card'
import type { EntityDraft } from './entity-draft'
import { FieldCard } from './field-card'
import { IndexCard } from './index-card'
import { KeyCard } from './key-card'
import type { ModelBase, ModelDraft } from './model-draft'
import { SettingsCard } from './settings-card'

type Props = {
  base: ModelBase
  draft: ModelDraft
  description?: string
  /** Another plugin has the entity, so that its schema alone is edited. */
  otherOwner?: string | null | undefined
  onChange: (draft: ModelDraft) => void
}

/** All that the definitions of an entity say, to be edited. */
export function ModelSections({ base, draft, description, otherOwner, onChange }: Props) {
  const { entity, fields } = draft
  const change = (part: Partial<EntityDraft>) =>
    onChange({ ...draft, entity: { ...entity, ...part } })
  const keys = entity.keys.map(({ key }) => key)
  const names = fields.filter(({ isRemoved }) => !isRemoved).map(({ name }) => name)
  return (
    <>
      <FieldCard
        {...{ fields, description }}
        self={{ name: entity.name.trim(), keys }}
        onChange={(next) => onChange({ ...draft, fields: next })}
      />
      {otherOwner === undefined ? (
        <>
          <KeyCard
            keys={entity.keys}
            present={(base.entity.pks ?? []).map(({ key }) => key)}
            declared={names}
            onChange={(next) => change({ keys: next })}
          />
          <IndexCard
            indexes={entity.indexes}
            fields={[...new Set([...keys, ...names])]}
            onChange={(indexes) => change({ indexes })}
          />
          <DisplayCard
            {...{ fields, keys }}
            display={entity.display}
            onChange={(display) => change({ display })}
          />
          <SettingsCard draft={entity} onChange={change} />
        </>
      ) : (
        <Notice title="Key, indexes and settings can’t be edited here">
          {otherOwner === null
            ? 'The entity belongs to no plugin: install one that defines it.'
            : `They belong to the plugin ${otherOwner}, which uses the schema of another one.`}
        </Notice>
      )}
    </>
  )
}
