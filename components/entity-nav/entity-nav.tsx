'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { countOf } from '@/components/ui/number'
import { EntityGroupList } from './entity-group-list'
import { EntityLink, useOpenEntity } from './entity-link'
import { firstGroups, groupEntities, linesOfGroups } from './group-entities'
import { toggled } from './nav-memory'
import { RecentRecords } from './recent-records-list'
import { useNavMemory } from './use-nav-memory'

type Props = { onNavigate?: () => void }

/** Entities come and go with other people's installs, and so do their records. */
const REFRESH_MS = 60_000

/** The entities in the sidebar: pinned ones, those of each plugin, and records opened last. */
export function EntityNav({ onNavigate }: Props) {
  const { data } = useQuery({ ...entitiesOptions, refetchInterval: REFRESH_MS })
  const pluginName = usePluginNames()
  const [memory, update] = useNavMemory()
  const [isWhole, setIsWhole] = useState(false)
  const open = useOpenEntity()
  const all = data?.data ?? []
  const pinned = memory.pins.flatMap((pin) => all.find(({ name }) => name === pin) ?? [])
  const rest = all.filter(({ name }) => !memory.pins.includes(name))
  const groups = groupEntities(rest, pluginName)
  const shown = isWhole ? groups : firstGroups(groups, open)
  const lines = linesOfGroups(shown.map(({ entities }) => entities.length))
  const onPin = (name: string) => update({ pins: toggled(memory.pins, name) })
  return (
    <>
      {pinned.length > 0 && (
        <section className="mb-3" aria-label="Pinned entities">
          <h2 className="px-2 py-1 text-xs text-muted-foreground">Pinned</h2>
          <ul className="grid gap-px">
            {pinned.map((entity) => (
              <EntityLink
                key={entity.name}
                entity={entity}
                isPinned
                onPin={onPin}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        </section>
      )}
      {shown.map(({ plugin, entities }, at) => (
        <EntityGroupList
          key={plugin}
          title={plugin === '' ? 'Without a plugin' : pluginName(plugin)}
          entities={entities}
          shownAtFirst={lines[at] ?? 0}
          isClosed={memory.closed.includes(plugin)}
          onToggle={() => update({ closed: toggled(memory.closed, plugin) })}
          onPin={onPin}
          onNavigate={onNavigate}
        />
      ))}
      {groups.length > shown.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="mb-3 block w-full rounded-md px-2 py-1 text-left text-xs text-muted-foreground hover:bg-accent hover:text-foreground"
        >
          Entities of {countOf(groups.length - shown.length, 'more plugin')}
        </button>
      )}
      <RecentRecords known={all} onNavigate={onNavigate} />
    </>
  )
}
