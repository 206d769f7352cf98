import { FileTextIcon } from 'lucide-react'
import { expect, test } from 'vitest'
import { type Result, rankResults } from './palette-results'

const result = (label: string, words: string[] = [], note = ''): Result => ({
  id: label,
  label,
  words,
  note,
  icon: FileTextIcon,
  onSelect: () => {},
})

const GROUPS = [
  { heading: 'Pages', results: [result('Plugins', ['install']), result('Settings')] },
  { heading: 'Objects', results: [result('TicketNote'), result('Ticket', [], 'entity')] },
]

const found = (typed: string) =>
  rankResults(GROUPS, typed).map(({ heading, results }) => [
    heading,
    ...results.map(({ label }) => label),
  ])

test('an exact name comes before what is like it, with its group', () => {
  expect(found('Ticket')[0]).toEqual(['Objects', 'Ticket', 'TicketNote'])
  expect(found('ticket')[0]).toEqual(['Objects', 'Ticket', 'TicketNote'])
  expect(found('install')[0]).toEqual(['Pages', 'Plugins'])
})

test('what does not match is left out, and without a term all stay in their order', () => {
  expect(found('zzz')).toEqual([])
  expect(found('')).toEqual([
    ['Pages', 'Plugins', 'Settings'],
    ['Objects', 'TicketNote', 'Ticket'],
  ])
})
