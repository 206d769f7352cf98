import { expect, test } from 'vitest'
import { cn } from './cn'

test('of two classes for one property in one state the later is kept', () => {
  expect(cn('h-4 rounded bg-muted', 'h-40 rounded-lg')).toBe('bg-muted h-40 rounded-lg')
  expect(cn('px-4 py-2 align-top', 'p-0.5 align-middle')).toBe('p-0.5 align-middle')
  expect(cn('h-4 w-8', 'size-9')).toBe('size-9')
  expect(cn('inline-flex shrink-0', 'hidden shrink')).toBe('hidden shrink')
  expect(cn('hover:bg-accent', 'hover:bg-primary-soft')).toBe('hover:bg-primary-soft')
  expect(cn('[&>svg]:text-muted-foreground', '[&>svg]:text-destructive')).toBe(
    '[&>svg]:text-destructive',
  )
})

test('classes for different properties, states or sides stay beside each other', () => {
  for (const classes of [
    'text-xs text-right text-muted-foreground',
    'bg-card hover:bg-accent',
    'border border-b border-input border-2',
    'checked:bg-check bg-center bg-no-repeat bg-card',
    'px-2.5 pl-7',
    'size-8 h-7',
    'justify-center justify-self-start',
    'gap-x-3 gap-y-2',
    'text-control text-[13px] text-foreground',
    'flex flex-1 flex-col',
  ])
    expect(cn(classes)).toBe(classes)
})
