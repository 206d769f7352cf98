import { type ClassValue, clsx } from 'clsx'

/** The properties that classes of callers replace, by their utilities. */
const PROPERTIES: readonly (readonly [RegExp, string?])[] = [
  [/^(size|[hw]|m(?:in|ax)-[hw]|p[xytrbl]?|gap(?!-[xy])|justify(?!-(?:self|items)-)|align)-/],
  [/^rounded(?:$|-(?![trbl]{1,2}(?:$|-)))/, 'rounded'],
  [/^(?:hidden|block|(?:inline-)?(?:flex|grid)|inline-block|table-cell)$/, 'display'],
  [/^flex-(?:\d|none|initial|auto)$/, 'flex'],
  [/^shrink(?:$|-)/, 'shrink'],
  [/^text-(?:left|right|center)$/, 'text-align'],
  [/^text-(?:xs|sm|base|lg|xl|\[\d+px\])$/, 'text-size'],
  [/^text-(?!control)/, 'text-color'],
  [/^bg-(?!\[|center|no-repeat)/, 'bg-color'],
  [/^border-(?!\d|[xytrbl](?:$|-)|dashed)/, 'border-color'],
]

/** A utility of several properties also replaces those of each. */
const PARTS: Record<string, readonly string[]> = {
  size: ['h', 'w'],
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  flex: ['shrink'],
}

const merged = new Map<string, string>()

/**
 * Joins class names; of two utilities that set the same one of `PROPERTIES` in the same state the later wins. For any other
 * property the order of the style sheet decides.
 */
export const cn = (...classes: ClassValue[]): string => {
  const text = clsx(classes)
  const known = merged.get(text) ?? merge(text)
  // What there is to join is written in the code, so that this stays small.
  merged.set(text, known)
  return known
}

function merge(text: string): string {
  const taken = new Set<string>()
  const kept = text
    .split(' ')
    .reverse()
    .filter((name) => {
      const at = name.lastIndexOf(':') + 1
      const property = propertyOf(name.slice(at))
      if (property === undefined) return true
      const state = name.slice(0, at)
      if (taken.has(state + property)) return false
      for (const each of [property, ...(PARTS[property] ?? [])]) taken.add(state + each)
      return true
    })
  return kept.reverse().join(' ')
}

function propertyOf(utility: string): string | undefined {
  for (const [pattern, property] of PROPERTIES) {
    const found = pattern.exec(utility)
    if (found) return property ?? found[1]
  }
}

/** The style of inputs and selects. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-input bg-card px-2.5 text-control transition-colors ' +
  'placeholder:text-muted-foreground hover:border-muted-foreground/60 ' +
  'focus-visible:outline-2 focus-visible:-outline-offset-1 ' +
  'disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted ' +
  'data-invalid:border-destructive aria-invalid:border-destructive'

/** The surface of everything that floats: menus, selects, popovers. */
export const popupClass =
  'rounded-lg border bg-popover p-1 text-sm shadow-overlay outline-none overlay-fade'

/** An entry of a menu or a select. */
export const itemClass =
  'relative flex min-h-7 cursor-default items-center gap-2 rounded-md px-2 py-1 text-[13px] outline-none ' +
  'select-none data-highlighted:bg-accent data-disabled:pointer-events-none data-disabled:opacity-50 ' +
  '[&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-muted-foreground'
