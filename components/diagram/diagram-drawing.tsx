import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { type Layout, lineAt, type PlacedNode } from './layout'

type Props = {
  layout: Layout
  zoom: number
  /** Those that are found; the others are dimmed. */
  isFound: (name: string) => boolean
  boxes: Map<string, HTMLAnchorElement>
}

/** Boxes of entities, each a link, with lines to those they refer to. Lines of the box that is pointed at stand out. */
export function DiagramDrawing({ layout, zoom, isFound, boxes }: Props) {
  const { width, height, nodes, edges } = layout
  const [active, setActive] = useState<string | null>(null)
  const isLit = (from: string, to: string) => active === from || active === to
  return (
    <svg
      aria-hidden={nodes.length === 0}
      width={width * zoom}
      height={height * zoom}
      viewBox={`0 0 ${width} ${height}`}
      className="block text-xs select-none"
    >
      <title>Entities and their references</title>
      <defs>
        <marker
          id="diagram-end"
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0,0 L8,4 L0,8 Z" className="fill-muted-foreground" />
        </marker>
      </defs>
      {edges.map(({ from, to, path }) => (
        <path
          key={`${from} ${to}`}
          d={path}
          markerEnd="url(#diagram-end)"
          className={cn(
            'fill-none stroke-muted-foreground transition-opacity',
            isLit(from, to) && 'stroke-primary stroke-2',
            active !== null && !isLit(from, to) && 'opacity-25',
          )}
        />
      ))}
      {nodes.map((node) => (
        <Box
          key={node.name}
          node={node}
          isDim={!isFound(node.name)}
          onActive={(is) => setActive(is ? node.name : null)}
          keep={(element) => {
            if (element) boxes.set(node.name, element)
            else boxes.delete(node.name)
          }}
        />
      ))}
    </svg>
  )
}

type BoxProps = {
  node: PlacedNode
  isDim: boolean
  onActive: (is: boolean) => void
  keep: (element: HTMLAnchorElement | null) => void
}

function Box({ node, isDim, onActive, keep }: BoxProps) {
  const { name, label, rows, more, x, y, width, height, isOther } = node
  return (
    <g
      transform={`translate(${x},${y})`}
      className={cn('transition-opacity', isDim && 'opacity-30')}
    >
      <Link
        href={`/entities/${encodeURIComponent(name)}/definition`}
        aria-label={describe(node)}
        draggable={false}
        ref={keep}
        onPointerEnter={() => onActive(true)}
        onPointerLeave={() => onActive(false)}
        onFocus={() => onActive(true)}
        onBlur={() => onActive(false)}
        className="group outline-none"
      >
        <rect
          {...{ width, height }}
          rx={6}
          strokeDasharray={isOther ? '4 3' : undefined}
          className="fill-card stroke-input group-hover:stroke-primary group-focus-visible:stroke-ring group-focus-visible:stroke-3"
        />
        <text x={10} y={18} className="fill-foreground font-semibold">
          {label}
        </text>
        {rows.map(({ name, meaning, isKey }, n) => (
          <text key={name} x={10} y={lineAt(n)} className="fill-foreground">
            <tspan className={cn(isKey && 'font-medium underline')}>{name}</tspan>
            <tspan dx={6} className="fill-muted-foreground">
              {meaning}
            </tspan>
          </text>
        ))}
        {more > 0 && (
          <text x={10} y={lineAt(rows.length)} className="fill-muted-foreground">
            and {more} more
          </text>
        )}
      </Link>
    </g>
  )
}

function describe({ label, rows, isOther }: PlacedNode): string {
  const references = rows.flatMap(({ name, target }) => (target ? `${name} to ${target}` : []))
  const other = isOther ? ', of another plugin' : ''
  const told = references.length > 0 ? `refers by ${references.join(', by ')}` : 'no references'
  return `${label}${other}: ${told}`
}
