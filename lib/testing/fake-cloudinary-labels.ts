type Fields = Record<string, string>

/** Tags and context as the fields of a request give them. */
export function labelsOf({ tags = '', context = '' }: Fields) {
  return { tags: tags.split(',').filter(Boolean), context: parseContext(context) }
}

/** `a=b|c=d`, where a backslash escapes the next `=` or `|`. */
function parseContext(text: string): Record<string, string> {
  const pairs = text.match(/(?:\\[=|]|[^|])+/g) ?? []
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = '', value = ''] = /^((?:\\[=|]|[^=])+)=(.*)$/s.exec(pair) ?? []
      return [unescaped(key), unescaped(value)]
    }),
  )
}

const unescaped = (text: string) => text.replace(/\\([=|])/g, '$1')
