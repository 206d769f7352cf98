/** A page as JSON, and the total, in one statement. */
export const pageOf = (fields, table, condition, order, limit = '10', offset = '0') =>
  `select ${list(`select ${fields} from ${table} where ${condition}
    order by ${order} limit ${limit} offset ${offset}`)} as data,
    (select count(*) from ${table} where ${condition})::text as total`

export const list = (rows) => `coalesce((select json_agg(r)::text from (${rows}) r), '[]')`

export const bodyOf = ({ data, total }) => `{"data":${data},"pagination":{"total":${total}}}`
