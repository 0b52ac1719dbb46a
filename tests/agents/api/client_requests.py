"""Requests as usual clients send them, for tests.

Parameters, prompts and shapes of messages are those of each client; words of the conversation are made up.
"""

from typing import Any

HISTORY = "USER: How hot should the water be?\nASSISTANT: The page says that 93 degrees suit most beans."
OPEN_WEBUI_TASKS = {
    "title": (
        "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Guidelines:\n"
        "- The title should clearly represent the main theme or subject of the conversation.\n### Output:\n"
        'JSON format: { "title": "your concise title here" }\n### Chat History:\n<chat_history>\n'
        f"{HISTORY}\n</chat_history>"
    ),
    "tags": (
        "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more "
        'specific subtopic tags.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n'
        f"### Chat History:\n<chat_history>\n{HISTORY}\n</chat_history>"
    ),
    "follow-ups": (
        "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might naturally ask next in this "
        "conversation as a **user**, based on the chat history, to help continue or deepen the discussion.\n"
        '### Output:\nJSON format: { "follow_ups": ["Question 1?", "Question 2?"] }\n'
        f"### Chat History:\n<chat_history>\n{HISTORY}\n</chat_history>"
    ),
    "queries": (
        "### Task:\nAnalyze the chat history to determine the necessity of generating search queries, in the given "
        'language.\n### Output:\nStrictly return in JSON format: \n{\n  "queries": ["query1", "query2"]\n}\n\n'
        f"### Chat History:\n<chat_history>\n{HISTORY}\n</chat_history>"
    ),
    "autocomplete": (
        "### Task:\nYou are an autocompletion system. Continue the text in `<text>` based on the **completion type** "
        "in `<type>` and the given language.\n#### Example 1:\n...\n---\n### Context:\n<chat_history>\n"
        f"{HISTORY}\n</chat_history>\n<type>search query</type>\n<text>How fine should</text>\n#### Output:\n"
    ),
}
OPEN_WEBUI_DOCUMENTS = (
    "### Task:\nRespond to the user query using the provided context, incorporating inline citations in the format "
    "[id] **only when the <source> tag includes an explicit id attribute**.\n\n### Guidelines:\n- If you don't know "
    "the answer, clearly state that.\n\n### Output:\nProvide a clear and direct response to the user's query.\n\n"
    '<context>\n<source id="1" name="beans.txt">Zanzibar beans like 91 degrees.</source>\n</context>\n\n'
    "How hot for my beans?"
)
LIBRECHAT_TITLE = (
    "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title "
    "itself.\n\nConversation:\nUser: How hot should the water be?\nAI: The page says 93 degrees."
)
CONTINUE_TITLE = (
    "Given the following... please reply with a title for the chat that is 3-4 words in length, all words used should "
    "be directly related to the content of the chat, avoid using verbs unless they are directly related to the content "
    "of the chat, no additional text or explanation, you don't need ending punctuation.\n\n93 degrees suit most beans."
)
LIBRECHAT_TITLE_IN_ITS_LANGUAGE = (
    "Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title in the "
    "detected language (5 words or less, no punctuation or quotation)\n\nUser: How hot?\nAI: 93 degrees."
)
OLD_OPEN_WEBUI_TITLE = (
    "Here is the query:\nHow hot is it?\n\nCreate a concise, 3-5 word phrase with an emoji as a title for "
    "the previous query. RESPOND ONLY WITH THE TITLE TEXT."
)
OPEN_WEBUI_EMOJI = (
    "Your task is to reflect the speaker's likely facial expression through a fitting emoji. Interpret emotions from "
    'the message and reflect their facial expression using fitting, diverse emojis.\n\nMessage: """93 degrees"""'
)
CHATBOX_TITLE = (
    "Based on the chat history, give this conversation a name.\nKeep it short - 10 characters max, no quotes.\n"
    "Just provide the name, nothing else.\n\nHere's the conversation:\n```\nUser: How hot?\nAI: 93 degrees\n```"
)
HOUSEKEEPING = [
    *OPEN_WEBUI_TASKS.values(),
    LIBRECHAT_TITLE,
    LIBRECHAT_TITLE_IN_ITS_LANGUAGE,
    CONTINUE_TITLE,
    OLD_OPEN_WEBUI_TITLE,
    OPEN_WEBUI_EMOJI,
    CHATBOX_TITLE,
]
# Words of a system that is there for one task, with the user's message beside it.
HOUSEKEEPING_SYSTEMS = [
    (
        "You are a summarization AI. Summarize the user's request into a single short sentence of four words or less. "
        "Do not try to answer it, only summarize the user's query. Always start your answer with an emoji."
    ),
    (
        "You are a professional conversation summarizer. Generate a concise title that captures the essence of the "
        "conversation.\n- Output ONLY the title text, no explanations\n- Maximum 10 words"
    ),
    (
        'Available Tools: [{"name": "get_time"}]\n\nYour task is to choose and return the correct tool(s) from the '
        'list of available tools based on the query. If no tools match, return an empty array: "tool_calls": []'
    ),
]
HOME_TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "HassTurnOn",
            "description": "Turns on/opens a device or entity.",
            "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": []},
        },
    }
]


def open_webui(words: str) -> dict[str, Any]:
    return {
        "stream": False,
        "model": "penny",
        "messages": [{"role": "user", "content": words}],
        "max_completion_tokens": 1000,
        "temperature": 0.7,
        "top_k": 40,
        "min_p": 0.05,
        "repeat_penalty": 1.1,
    }


def librechat(words: str) -> dict[str, Any]:
    return {
        "model": "penny",
        "user": "65f0c0ffee",
        "stream": False,
        "n": 1,
        "messages": [
            {"role": "system", "content": "You are talking to Ada."},
            {"role": "user", "content": [{"type": "text", "text": words}]},
        ],
    }


def continue_dev(words: str) -> dict[str, Any]:
    return {
        "messages": [{"role": "user", "content": [{"type": "text", "text": words}]}],
        "model": "penny",
        "max_tokens": 4096,
        "stream": False,
        "tools": HOME_TOOLS,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "prediction": None,
    }


def home_assistant(words: str) -> dict[str, Any]:
    system = "You are a voice assistant for Home Assistant.\nAnswer in plain text. Keep it simple and to the point."
    return {
        "model": "penny",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": words}],
        "tools": HOME_TOOLS,
        "tool_choice": "auto",
        "max_tokens": 150,
        "top_p": 1.0,
        "temperature": 1.0,
        "user": "01HXYZ",
        "parallel_tool_calls": False,
    }


def langchain(words: str) -> dict[str, Any]:
    return {
        "messages": [{"content": "You are a helpful assistant.", "role": "system"}, {"content": words, "role": "user"}],
        "model": "penny",
        "logprobs": False,
        "n": 1,
        "seed": 7,
        "stream": False,
        "parallel_tool_calls": True,
        "response_format": {"type": "text"},
    }


def openai_client(words: str) -> dict[str, Any]:
    return {
        "model": "penny",
        "messages": [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": words}],
        "reasoning_effort": "low",
        "service_tier": "auto",
        "store": False,
        "metadata": {"purpose": "test"},
        "stream": False,
    }


CLIENTS = [open_webui, librechat, continue_dev, home_assistant, langchain, openai_client]
