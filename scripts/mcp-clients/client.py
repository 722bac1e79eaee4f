"""The official SDK client from PyPI against `pensieve mcp` and `/mcp`.

Usage: client.py PENSIEVE DATABASE URL
"""

import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ResourceTemplateReference

TEMPLATE = "pensieve://{corpus}/{+path}"
TOOLS = ["search", "fetch", "pack", "list_documents", "find_tables", "query_table", "corpus_info"]


async def call(client, name, arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    assert result.content[0].text and isinstance(result.structured_content, dict)
    return result.structured_content


async def everything(client):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)
    found = await call(client, "search", {"query": "memory limit", "limit": 3})
    citation = found["hits"][0]["sources"][0]["citation"]
    fetched = await call(client, "fetch", {"citation": citation})
    assert fetched["text"] == found["hits"][0]["content"]
    pack = await call(client, "pack", {"question": "memory limit", "budget": 1500})
    assert pack["tokens"] <= 1500 and pack["pieces"]
    assert len((await call(client, "list_documents", {"path": "*.md", "limit": 2}))["documents"]) == 2
    assert (await call(client, "corpus_info", {}))["corpora"][0]["documents"] > 0
    resources = (await client.list_resources()).resources
    assert (await client.read_resource(str(resources[0].uri))).contents[0].text
    assert (await client.list_resource_templates()).resource_templates[0].uri_template == TEMPLATE
    completed = await client.complete(ResourceTemplateReference(uri=TEMPLATE), {"name": "path", "value": "s"})
    assert all(path.startswith("s") for path in completed.completion.values)
    for arguments in ({}, {"query": 1}, {"query": "x", "limit": -1}, {"query": "x", "corpus": "none"}):
        assert (await client.call_tool("search", arguments)).is_error, arguments
    for wrong in (client.call_tool("none", {}), client.read_resource("pensieve://none/none")):
        try:
            await wrong
        except MCPError:
            continue
        raise AssertionError("an error of the protocol was expected")
    many = " OR ".join(f"w{n}* OR t{n % 26}*" for n in range(400))
    with anyio.move_on_after(0.01):
        await client.call_tool("search", {"query": many})
    await call(client, "search", {"query": "after a cancelled request"})


async def many_searches(server, mode):
    async with Client(server, mode=mode) as client:
        for _ in range(20):
            result = await client.call_tool("search", {"query": "limit", "limit": 3})
            assert not result.is_error and result.structured_content["total"] > 0, result


async def main(pensieve, database, url):
    stdio = StdioServerParameters(command=pensieve, args=["mcp", database])
    cases = [(server, mode) for server in (stdio, url) for mode in ("legacy", "auto", "2026-07-28")]
    for server, mode in cases:
        async with Client(server, mode=mode) as client:
            await everything(client)
            print(f"ok: python {mode} {'http' if server is url else 'stdio'}: {client.protocol_version}", flush=True)
    async with anyio.create_task_group() as group:
        for at in range(16):
            group.start_soon(many_searches, *cases[at % len(cases)])
    print("ok: sixteen clients at once", flush=True)


anyio.run(main, *sys.argv[1:])
