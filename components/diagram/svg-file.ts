import { type Layout, lineAt, type PlacedNode } from './layout'

const FONT = 'font-family="system-ui, sans-serif" font-size="12"'

/** The diagram as a file that looks the same everywhere: dark on white, without styles of the console. */
export function svgFile({ width, height, nodes, edges }: Layout): string {
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${FONT}>`,
    '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
    '<path d="M0,0 L8,4 L0,8 Z" fill="#667085"/></marker></defs>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...edges.map(
      ({ path, from, to, fields }) =>
        `<path d="${path}" fill="none" stroke="#667085" marker-end="url(#end)"><title>${escaped(`${from}.${fields.join(', ')} → ${to}`)}</title></path>`,
    ),
    ...nodes.map(boxOf),
    '</svg>\n',
  ].join('\n')
}

function boxOf({ x, y, width, height, label, rows, more, isOther }: PlacedNode): string {
  const dash = isOther ? ' stroke-dasharray="4 3"' : ''
  return [
    `<g transform="translate(${Math.round(x)},${Math.round(y)})">`,
    `<rect width="${width}" height="${height}" rx="6" fill="#fff" stroke="#98a2b3"${dash}/>`,
    `<text x="10" y="18" font-weight="600" fill="#101828">${escaped(label)}</text>`,
    ...rows.map(
      ({ name, meaning }, n) =>
        `<text x="10" y="${lineAt(n)}" fill="#344054">${escaped(name)}<tspan fill="#667085"> ${escaped(meaning)}</tspan></text>`,
    ),
    more > 0
      ? `<text x="10" y="${lineAt(rows.length)}" fill="#667085">and ${more} more</text>`
      : '',
    '</g>',
  ].join('')
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(NOT_IN_XML, ' ')

/** With halves of characters, which a cut may leave. */
const NOT_IN_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu
