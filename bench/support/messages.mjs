/** The contents of all in-app messages, through the API. */
export async function inAppContents({ url, apiKey }) {
  const contents = [];
  for (let page = 0; ; page += 1) {
    const answer = await fetch(`${url}/v1/messages?channel=in_app&limit=100&page=${page}`, {
      headers: { authorization: `ApiKey ${apiKey}` },
    });
    const { data, hasMore } = await answer.json();
    contents.push(...data.map(({ content }) => content.trim()));
    if (!hasMore) return contents;
  }
}
