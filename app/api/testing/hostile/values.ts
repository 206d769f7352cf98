import { naughtyStrings } from '@/lib/testing/corpora'

const times = (text: string, count: number) => text.repeat(count)

/** Texts that software is broken with, a few of each kind. */
const TEXTS: readonly string[] = [
  // Characters
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  'a\r\nSet-Cookie: a=b',
  '\u0001\u0008\u001f\u007f\u0085',
  '\ud800',
  'a\udc00b',
  '\uffff\ufffe\ufeff',
  '\u202egnp.exe',
  '\u200b\u2028\u2029',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'İıſK',
  times('e\u0301', 40),
  // SQL
  "' or 1=1 --",
  "'; drop table engine.users; --",
  '"; select pg_sleep(10); --',
  "\\'; select 1; --",
  '$$||pg_sleep(10)||$$',
  'entities.thing',
  'engine.users',
  'pg_catalog',
  "E'\\\\x00'",
  '%',
  '_%\\',
  // Scripts, templates, commands
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{7*7}}${7*7}<%= 7*7 %>#{7*7}',
  '$(sleep 10)`sleep 10`',
  '=cmd|"/c calc"!A1',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  // Paths and addresses
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '..%2f..%2fetc%2fpasswd',
  '/dev/zero',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:127.0.0.1]/',
  'CON',
  '.',
  '..',
  // Names of the language
  '__proto__',
  'constructor',
  'prototype.toString',
  'hasOwnProperty',
  'toString',
  'persistenceId',
  // Numbers, times, words
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '-1',
  '9223372036854775808',
  times('9', 400),
  '0x10',
  '1_000',
  'null',
  'undefined',
  'true',
  '9999-99-99T99:99:99Z',
  '275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '00000000-0000-0000-0000-000000000000',
  // Grammars
  'name:eq:"',
  'name:in:a|b|',
  'name:regex:(a+)+$',
  '(((((',
  ')',
  '[',
  '{"a":',
  '*',
  ',,,',
  ':',
  'name:DESC,name:ASC',
  `name${times('.name', 200)}`,
  // Regular expressions
  '(a+)+$',
  '(a|aa)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*){1,1000}',
  times('(', 500),
  '[[:alpha:]-',
  '(?=a)\\1',
  // Length
  times('a', 300),
  times('ä', 3000),
  times('\\', 500),
]

/** In bodies only: too long for an address. */
const LONG_TEXTS = [times('a', 70_000), times('%00', 20_000), times("'", 65_536)]

const nested = (open: string, close: string, levels: number) =>
  `${times(open, levels)}1${times(close, levels)}`

/** JSON that is no text, as it is sent. */
const JSON_TEXTS: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e308',
  '1e400',
  '5e-324',
  '9007199254740993',
  times('9', 400),
  `0.${times('1', 400)}`,
  '1E+9999999999',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[1,"a",{},[]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1,"valueOf":1,"then":1,"toJSON":1}',
  '{"":""}',
  '{"$date":"never"}',
  '{"$date":1e300}',
  '{"$ne":null}',
  '{"$where":"sleep(1000)"}',
  '{"length":-1}',
  '{"a":1,"a":2}',
  '{"\\ud800":"\\udc00"}',
  '{"\\u0000":"\\u0000"}',
  '["\\u0000"]',
  `[${Array(3000).fill('"a"').join()}]`,
  `{${Array.from({ length: 3000 }, (_, at) => `"k${at}":${at}`).join()}}`,
  nested('[', ']', 90),
  nested('[', ']', 450),
  nested('[', ']', 20_000),
  nested('{"a":', '}', 450),
  nested('{"query":[', ']}', 40),
  nested('{"operator":"not","filters":[', ']}', 60),
  nested('[', '', 200_000),
]

/** Of our own, and of the public list. */
export type Values = { own: readonly string[]; naughty: readonly string[] }

const inJson = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text))
const NAUGHTY = naughtyStrings()

/** For addresses, headers and forms. */
export const HOSTILE_TEXTS: Values = { own: TEXTS, naughty: NAUGHTY }

/** For bodies: JSON as it is sent. */
export const HOSTILE_JSON: Values = {
  own: [...JSON_TEXTS, ...inJson([...TEXTS, ...LONG_TEXTS])],
  naughty: inJson(NAUGHTY),
}
