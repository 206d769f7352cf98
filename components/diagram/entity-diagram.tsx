import { useQuery } from '@tanstack/react-query'
import { MaximizeIcon, MinusIcon, PlusIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { NoEntities } from '@/components/entities/no-entities'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { ListFilter } from '@/components/ui/list-filter'
import { saveFile } from '@/components/ui/save-file'
import { Select } from '@/components/ui/select'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { DiagramDrawing } from './diagram-drawing'
import { type Layout, layoutOf } from './layout'
import {
  type Diagram,
  diagramOf,
  isTooLarge,
  MOST_ENTITIES,
  MOST_REFERENCES,
  mermaidOf,
} from './model'
import { svgFile } from './svg-file'
import { useCanvas } from './use-canvas'

/** The entities that the user may read, and how they refer to each other. */
export function EntityDiagram() {
  const entities = useQuery(entitiesOptions)
  if (entities.isPending) return <Skeleton className="min-h-96 flex-1 rounded-lg" />
  if (entities.error)
    return (
      <Card>
        <ErrorState of={entities} />
      </Card>
    )
  if (entities.data.data.length === 0)
    return (
      <Card>
        <NoEntities takesFiles />
      </Card>
    )
  return <OfPlugin all={entities.data.data} />
}

const ALL = '*'

function OfPlugin({ all }: { all: readonly EntitySummary[] }) {
  const nameOf = usePluginNames()
  const [plugin, setPlugin] = useQueryState('plugin', parseAsString)
  const ids = [...new Set(all.flatMap(({ pluginId }) => pluginId ?? []))]
  const shown = plugin !== null && ids.includes(plugin) ? plugin : null
  const diagram = useMemo(() => diagramOf(all, shown), [all, shown])
  const options = [
    { value: ALL, label: 'All plugins' },
    ...ids.map((id) => ({ value: id, label: nameOf(id) })),
  ]
  const choice = (
    <Select
      size="sm"
      aria-label="Plugin"
      className="w-full sm:w-56"
      options={options}
      value={shown ?? ALL}
      onValueChange={(next) => void setPlugin(next === ALL ? null : next)}
    />
  )
  if (isTooLarge(diagram))
    return (
      <>
        {choice}
        <Card>
          <EmptyState title={`${diagram.nodes.length} entities are too many to draw`}>
            Choose a plugin: up to {MOST_ENTITIES} entities with {MOST_REFERENCES} references are
            drawn at once.
          </EmptyState>
        </Card>
      </>
    )
  return <Drawn diagram={diagram} choice={choice} />
}

function Drawn({ diagram, choice }: { diagram: Diagram; choice: React.ReactNode }) {
  const [text, setText] = useState('')
  const term = useDeferredValue(text.trim().toLowerCase())
  const layout = useQuery({
    queryKey: ['diagram', diagram],
    queryFn: () => layoutOf(diagram),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const canvas = useCanvas(layout.data)
  const boxes = useRef(new Map<string, HTMLAnchorElement>())
  const found = diagram.nodes.filter(({ name, label }) =>
    `${name} ${label}`.toLowerCase().includes(term),
  )
  const names = new Set(found.map(({ name }) => name))
  const show = (name: string) => {
    boxes.current.get(name)?.scrollIntoView({ block: 'center', inline: 'center' })
    boxes.current.get(name)?.focus({ preventScroll: true })
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ListFilter label="Search entities" text={text} onText={setText} />
        {choice}
        <div className="flex flex-wrap sm:ml-auto items-center gap-2">
          <Zoom {...canvas} />
          {layout.data && <Files diagram={diagram} layout={layout.data} />}
        </div>
      </div>
      <div className="flex flex-col gap-3 md:h-[calc(100dvh-17rem)] md:min-h-96 md:flex-row">
        <section
          ref={canvas.area}
          aria-label="Diagram"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
          tabIndex={0}
          {...canvas.handlers}
          className="min-w-0 flex-1 max-md:h-[60dvh] cursor-grab overflow-auto rounded-lg border bg-muted/40 outline-offset-2 active:cursor-grabbing"
        >
          {layout.data ? (
            <DiagramDrawing
              layout={layout.data}
              zoom={canvas.zoom}
              isFound={(name) => names.has(name)}
              boxes={boxes.current}
            />
          ) : (
            <Skeleton className="h-full" />
          )}
        </section>
        <List found={found} term={text} onShow={show} />
      </div>
    </>
  )
}

type ListProps = { found: Diagram['nodes']; term: string; onShow: (name: string) => void }

/** The same without a drawing. */
const List = ({ found, term, onShow }: ListProps) => (
  <Card flush className="flex max-h-48 shrink-0 flex-col overflow-auto md:max-h-none md:w-60">
    <ul aria-label="Entities" className="p-1">
      {found.map(({ name, label, rows }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onShow(name)}
            className="w-full rounded px-2 py-1 text-left text-[13px] hover:bg-accent"
          >
            <bdi className="block truncate font-medium">{label}</bdi>
            <span className="block truncate text-xs text-muted-foreground">
              {rows.flatMap(({ target }) => (target ? `→ ${target}` : [])).join(', ') ||
                'No references'}
            </span>
          </button>
        </li>
      ))}
    </ul>
    {found.length === 0 && <EmptyState title={`No entity is called like “${term}”`} />}
  </Card>
)

type ZoomProps = Pick<ReturnType<typeof useCanvas>, 'zoom' | 'zoomIn' | 'zoomOut' | 'showAll'>

const Zoom = ({ zoom, zoomIn, zoomOut, showAll }: ZoomProps) => (
  <div className="flex items-center gap-1">
    <Button size="icon-sm" variant="ghost" aria-label="Zoom out" onClick={zoomOut}>
      <MinusIcon aria-hidden />
    </Button>
    <output aria-label="Zoom" className="w-10 text-center text-xs tabular-nums">
      {Math.round(zoom * 100)} %
    </output>
    <Button size="icon-sm" variant="ghost" aria-label="Zoom in" onClick={zoomIn}>
      <PlusIcon aria-hidden />
    </Button>
    <Button size="icon-sm" variant="ghost" aria-label="Show all" onClick={showAll}>
      <MaximizeIcon aria-hidden />
    </Button>
  </div>
)

const Files = ({ diagram, layout }: { diagram: Diagram; layout: Layout }) => (
  <>
    <Button size="sm" onClick={() => saveFile('entities.svg', svgFile(layout), 'image/svg+xml')}>
      Save SVG
    </Button>
    <CopyButton
      showLabel
      className="h-7 px-2 text-[13px]"
      label="Copy Mermaid"
      text={mermaidOf(diagram)}
    />
  </>
)
